import Foundation

/// What kind of file a movie is.
public struct MovieContainer: Hashable, Sendable {
  private enum Value: String {
    case matroska = "Matroska"
    case mp4 = "MP4"
    case quickTime = "QuickTime"
    case avi = "AVI"
    case mpegTransportStream = "MPEG transport stream"
  }
  private let value: Value
  private init(_ value: Value) { self.value = value }

  /// Matroska and WebM: `mkv`.
  public static let matroska = MovieContainer(.matroska)
  /// ISO 14496-14: `mp4`.
  public static let mp4 = MovieContainer(.mp4)
  /// Apple's QuickTime: `mov`.
  public static let quickTime = MovieContainer(.quickTime)
  /// Audio Video Interleave: `avi`.
  public static let avi = MovieContainer(.avi)
  /// What network cameras and receivers write: `ts`. It is read, not written.
  public static let mpegTransportStream = MovieContainer(.mpegTransportStream)

  /// The container that is written to files whose name ends so; nil for other endings.
  ///
  /// - Parameter pathExtension: `mkv`, `mp4`, `mov` or `avi`, in letters of any case.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "mkv": self = .matroska
    case "mp4": self = .mp4
    case "mov": self = .quickTime
    case "avi": self = .avi
    default: return nil
    }
  }

  /// How a file's name ends, without the dot.
  public var pathExtension: String {
    switch value {
    case .matroska: "mkv"
    case .mp4: "mp4"
    case .quickTime: "mov"
    case .avi: "avi"
    case .mpegTransportStream: "ts"
    }
  }
}

// MARK: - CustomStringConvertible

extension MovieContainer: CustomStringConvertible {
  /// The container's name.
  public var description: String { value.rawValue }
}
