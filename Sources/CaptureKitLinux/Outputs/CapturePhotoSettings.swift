import Synchronization

/// What one photo is to be like; Apple's `AVCapturePhotoSettings`.
///
/// Settings serve one photo: make new ones for the next, or copy with ``init(from:)``.
public final class CapturePhotoSettings: Sendable {
  /// How a photo is made upright.
  public enum Rotation: Hashable, Sendable {
    /// The file says how it is to be turned (EXIF); the camera's pixels stay as they are.
    case exif
    /// The pixels are turned: without loss where the picture's size allows, else by encoding anew.
    case pixels
  }

  /// Tells requests apart; the same in ``CaptureResolvedPhotoSettings/uniqueID``.
  public let uniqueID: Int64
  /// The JPEG quality from 0 to 1; nil keeps a camera's own JPEG, and encodes raw frames with 0.85.
  ///
  /// A value makes a camera's JPEG be encoded anew, and the photo says so.
  public let quality: Double?
  /// How the photo is made upright.
  public let rotation: Rotation
  /// How long to wait for a frame, an hour at most, counted from the request or from when exposure has settled.
  public let timeout: Duration
  private let isUsed = Atomic(false)

  private static let counter = Atomic<Int64>(0)

  /// Asks for a JPEG photo.
  ///
  /// - Parameters:
  ///   - quality: The JPEG quality from 0 to 1; nil keeps a camera's own JPEG.
  ///   - rotation: How the photo is made upright.
  ///   - timeout: How long to wait for a frame.
  public init(
    quality: Double? = nil, rotation: Rotation = .exif, timeout: Duration = .seconds(5)
  ) {
    uniqueID = Self.counter.add(1, ordering: .relaxed).newValue
    self.quality = quality.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    self.rotation = rotation
    self.timeout = min(max(timeout, .zero), .seconds(3600))
  }

  /// The same wishes for another photo.
  public convenience init(from settings: CapturePhotoSettings) {
    self.init(
      quality: settings.quality, rotation: settings.rotation, timeout: settings.timeout)
  }

  /// Takes the settings for a photo.
  ///
  /// - Returns: Whether they were free until now.
  func take() -> Bool {
    !isUsed.exchange(true, ordering: .relaxed)
  }
}

/// What a photo will be like; Apple's `AVCaptureResolvedPhotoSettings`.
public struct CaptureResolvedPhotoSettings: Hashable, Sendable {
  /// The ``CapturePhotoSettings/uniqueID`` of the settings.
  public let uniqueID: Int64
  /// The stored picture's size in pixels, before it is shown upright; zero where nothing is connected.
  public let photoDimensions: VideoDimensions
}
