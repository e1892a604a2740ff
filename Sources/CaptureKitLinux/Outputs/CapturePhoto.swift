public import Foundation
public import Imaging
import LinuxSystem

/// A photo, or why there is none; Apple's `AVCapturePhoto`.
public final class CapturePhoto: Sendable {
  /// What was asked for.
  public let resolvedSettings: CaptureResolvedPhotoSettings
  /// When the frame was taken, on the host's clock; nil where there is no photo.
  public let timestamp: FrameTimestamp?
  /// What the file says of the picture: orientation, date, maker and model of the camera.
  public let metadata: ImageMetadata
  /// Whether the picture is other than the camera sent it: a camera's own JPEG encoded anew.
  public let isReencoded: Bool
  private let contents: Result<Data, CaptureError>

  init(
    resolvedSettings: CaptureResolvedPhotoSettings, timestamp: FrameTimestamp?,
    metadata: ImageMetadata, isReencoded: Bool, contents: Result<Data, CaptureError>
  ) {
    self.resolvedSettings = resolvedSettings
    self.timestamp = timestamp
    self.metadata = metadata
    self.isReencoded = isReencoded
    self.contents = contents
  }

  /// The photo that stands for a failure.
  convenience init(failure: CaptureError, resolvedSettings: CaptureResolvedPhotoSettings) {
    self.init(
      resolvedSettings: resolvedSettings, timestamp: nil, metadata: ImageMetadata(),
      isReencoded: false, contents: .failure(failure))
  }

  /// The photo's JPEG file, ready to be written; nil where there is no photo.
  public func fileDataRepresentation() -> Data? {
    try? contents.get()
  }

  /// The photo as an image that keeps the file's bytes; decoded when its pixels are asked for.
  ///
  /// Throws a ``CaptureError`` where there is no photo.
  public var image: Image {
    get throws {
      let data = try contents.get()
      do {
        return try Image(data)
      } catch {
        throw CaptureError.wrapping(error)
      }
    }
  }

  /// Writes the photo's file: whole or not at all.
  ///
  /// A file that is there is replaced at once; what fails leaves it as it was.
  ///
  /// - Parameter url: Where to; the folder must be there.
  /// - Throws: ``CaptureError`` with the code `cannotWrite`, or why there is no photo.
  public func write(to url: URL) throws {
    let data = try contents.get()
    guard url.isFileURL else {
      throw CaptureError(.cannotWrite, "\(url) is no file: photos are written to files only.")
    }
    do {
      try AtomicFile.write(data.bytes, to: url.path)
    } catch {
      throw CaptureError(
        .cannotWrite, "The photo could not be written to \(url.path): \(error.explanation)",
        errno: error.errno.rawValue)
    }
  }
}
