/// How a movie's frames lie in their file.
///
/// All of them can be played when the process that records them dies: what was recorded up to the
/// last second is in the file, and its header says so.
public struct MovieContainer: RawRepresentable, Hashable, Sendable {
  /// The usual extension of a file's name, in small letters.
  public let rawValue: String

  /// Takes any name, known to this library or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Matroska (`mkv`): times to the millisecond.
  public static let matroska = MovieContainer(rawValue: "mkv")
  /// MPEG-4 part 14 (`mp4`), in fragments: times to 1/90 000 s.
  public static let mp4 = MovieContainer(rawValue: "mp4")
  /// QuickTime (`mov`), in fragments: times to 1/90 000 s.
  public static let quickTime = MovieContainer(rawValue: "mov")
  /// AVI (`avi`): frames at the camera's nominal rate, with empty ones where none came; no
  /// orientation.
  public static let avi = MovieContainer(rawValue: "avi")

  /// All that movies can be recorded in.
  public static let all: [MovieContainer] = [.matroska, .mp4, .quickTime, .avi]

  /// The container that a file's name asks for; nil for all but `mkv`, `mp4`, `m4v`, `mov` and
  /// `avi`.
  ///
  /// - Parameter pathExtension: What follows the name's last full stop, in large or small letters.
  public init?(pathExtension: String) {
    let name = pathExtension.lowercased()
    guard let container = Self.all.first(where: { $0.rawValue == (name == "m4v" ? "mp4" : name) })
    else { return nil }
    self = container
  }
}

// MARK: - CustomStringConvertible

extension MovieContainer: CustomStringConvertible {
  /// The extension.
  public var description: String { rawValue }
}
