public import Foundation
public import Imaging

/// Apple's name of `Image`.
public typealias UIImage = Image

extension Image {
  /// Reads a picture's header; nil where `init(_:limits:)` throws.
  ///
  /// - Parameter data: The bytes of a picture file; kept as they are.
  public convenience init?(data: Data) {
    do { try self.init(data) } catch { return nil }
  }

  /// Reads a picture file; nil where `init(contentsOf:limits:)` throws.
  ///
  /// - Parameter path: The file's path.
  public convenience init?(contentsOfFile path: String) {
    do { try self.init(contentsOf: URL(filePath: path)) } catch { return nil }
  }

  /// Width and height as shown, in pixels: `scale` is 1.
  @_disfavoredOverload
  public var size: CGSize {
    orientation.swapsSides
      ? CGSize(width: pixelHeight, height: pixelWidth)
      : CGSize(width: pixelWidth, height: pixelHeight)
  }

  /// Pixels in a point: always 1.
  public var scale: CGFloat { 1 }

  /// How the stored rows are to be shown, by UIKit's numbers.
  public var imageOrientation: Orientation { Orientation(orientation) }

  /// How stored rows are to be shown: UIKit's `UIImage.Orientation`, whose numbers are not EXIF's.
  public enum Orientation: Int, CaseIterable, Hashable, Sendable {
    /// As stored; EXIF's 1.
    case up = 0
    /// Turned by a half; EXIF's 3.
    case down = 1
    /// To be turned a quarter counter-clockwise; EXIF's 8.
    case left = 2
    /// To be turned a quarter clockwise; EXIF's 6.
    case right = 3
    /// Mirrored left to right; EXIF's 2.
    case upMirrored = 4
    /// Mirrored top to bottom; EXIF's 4.
    case downMirrored = 5
    /// EXIF's 5.
    case leftMirrored = 6
    /// EXIF's 7.
    case rightMirrored = 7

    /// The same by EXIF's numbers.
    public init(_ orientation: ImageOrientation) {
      self =
        switch orientation {
        case .up: .up
        case .upMirrored: .upMirrored
        case .down: .down
        case .downMirrored: .downMirrored
        case .leftMirrored: .leftMirrored
        case .right: .right
        case .rightMirrored: .rightMirrored
        case .left: .left
        }
    }
  }
}
