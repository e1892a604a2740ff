public import Foundation
public import Imaging
import LinuxSystem

/// A photo, or why there is none; Apple's `AVCapturePhoto`.
public final class CapturePhoto: Sendable {
  /// How a photo was made upright.
  public enum Rotation: Hashable, Sendable {
    /// It was upright as it came.
    case none
    /// The file says how it is to be turned.
    case exif
    /// The pixels were turned, and nothing was lost by that.
    case lossless
    /// The pixels were turned without loss, and up to 15 rows or columns at an edge were cut off.
    case trimmed
    /// The pixels were turned by encoding the picture anew.
    case reencoded
  }

  /// What was asked for, and what the photo has become: its real size, whatever was agreed with the
  /// camera.
  public let resolvedSettings: CaptureResolvedPhotoSettings
  /// Which of the request's photos it is, counted from 1.
  public let photoCount: Int
  /// The exposure of a bracket that it was taken with; nil where it is of none.
  public let bracketedSettings: CaptureBracketedStillImageSettings?
  /// When the frame was taken, on the host's clock; nil where there is no photo.
  public let timestamp: FrameTimestamp?
  /// Whether the frame was taken before the photo was asked for: zero shutter lag.
  public let precedesRequest: Bool
  /// What the file says of the picture: orientation, date, maker and model of the camera.
  public var metadata: ImageMetadata { picture?.metadata ?? ImageMetadata() }
  /// Whether the picture is other than the camera sent it: a camera's own JPEG encoded anew.
  public var isReencoded: Bool { picture?.isReencoded ?? false }
  /// How the picture was made upright.
  public var rotation: Rotation { picture?.rotation ?? .none }
  private let contents: Contents

  /// What `Result` would be, without the cost of that generic type in a program that takes one
  /// photo.
  private enum Contents {
    case picture(PhotoProcessor.Picture)
    case failure(CaptureError)
  }

  /// A photo that was taken.
  init(
    _ picture: PhotoProcessor.Picture, resolvedSettings: CaptureResolvedPhotoSettings,
    photoCount: Int, bracketedSettings: CaptureBracketedStillImageSettings?,
    timestamp: FrameTimestamp, precedesRequest: Bool
  ) {
    self.resolvedSettings = resolvedSettings.updated(by: picture)
    self.photoCount = photoCount
    self.bracketedSettings = bracketedSettings
    self.timestamp = timestamp
    self.precedesRequest = precedesRequest
    contents = .picture(picture)
  }

  /// The photo that stands for a failure.
  init(
    failure: CaptureError, resolvedSettings: CaptureResolvedPhotoSettings, photoCount: Int = 1
  ) {
    self.resolvedSettings = resolvedSettings
    self.photoCount = photoCount
    bracketedSettings = nil
    timestamp = nil
    precedesRequest = false
    contents = .failure(failure)
  }

  private var picture: PhotoProcessor.Picture? {
    if case .picture(let picture) = contents { picture } else { nil }
  }

  /// The photo's file, or why there is none.
  var data: Data {
    get throws(CaptureError) {
      switch contents {
      case .picture(let picture): return picture.data
      case .failure(let error): throw error
      }
    }
  }
}

// MARK: - The picture

extension CapturePhoto {
  /// The photo's file, JPEG or HEIC, ready to be written; nil where there is no photo.
  public func fileDataRepresentation() -> Data? { picture?.data }

  /// The photo as an image that keeps the file's bytes; decoded when its pixels are asked for.
  ///
  /// Throws a ``CaptureError`` where there is no photo.
  public var image: Image {
    get throws {
      let data = try self.data
      do {
        return try Image(data)
      } catch {
        throw CaptureError.wrapping(error)
      }
    }
  }

  /// The camera's samples as they came, not turned, in memory of their own.
  ///
  /// nil where ``CapturePhotoSettings/isPixelBufferDeliveryEnabled`` was not set, and where the
  /// camera sent JPEG: ``image`` decodes that.
  public var pixelBuffer: PixelBuffer? { picture?.pixels }

  /// The photo in small, upright, in BGRA; nil where ``CapturePhotoSettings/previewDimensions`` was
  /// not set.
  public var previewPixelBuffer: PixelBuffer? { picture?.preview }

  /// The small JPEG picture within the file, stored as the photo is; nil where there is none.
  public var embeddedThumbnail: Data? {
    picture.flatMap { JPEGThumbnail.embedded(in: $0.data.bytes) }
  }

  /// Writes the photo's file: whole or not at all.
  ///
  /// A file that is there is replaced at once; what fails leaves it as it was.
  ///
  /// - Parameter url: Where to; the folder must be there.
  /// - Throws: ``CaptureError`` with the code `cannotWrite`, or why there is no photo.
  public func write(to url: URL) throws {
    try Self.write(data, to: url)
  }

  static func write(_ data: Data, to url: URL) throws(CaptureError) {
    guard url.isFileURL else {
      throw CaptureError(.cannotWrite, "\(url) is no file: photos are written to files only.")
    }
    do {
      try AtomicFile.write(data.bytes, to: url.filePath)
    } catch {
      throw CaptureError(
        .cannotWrite, "The photo could not be written to \(url.path): \(error.explanation)",
        errno: error.errno.rawValue)
    }
  }
}

extension CaptureResolvedPhotoSettings {
  /// What has become of a photo.
  fileprivate func updated(by picture: PhotoProcessor.Picture) -> Self {
    var settings = self
    settings.photoDimensions = VideoDimensions(picture.size)
    if let size = picture.thumbnailSize {
      settings.embeddedThumbnailDimensions = VideoDimensions(size)
    }
    if let preview = picture.preview {
      settings.previewDimensions = VideoDimensions(width: preview.width, height: preview.height)
    }
    return settings
  }
}

extension VideoDimensions {
  fileprivate init(_ size: PixelSize) {
    self.init(width: size.width, height: size.height)
  }
}

extension URL {
  /// The same as `path`, whose decoding costs a program's first call more than all of the writing;
  /// most paths have nothing to be decoded.
  fileprivate var filePath: String {
    let encoded = path(percentEncoded: true)
    let needsDecoding = encoded.contains("%") || encoded.hasSuffix("/")
    return needsDecoding ? path : encoded
  }
}
