import Foundation
import Imaging

/// Makes a photo's file of a frame: the camera's own JPEG completed, or raw samples encoded.
struct PhotoProcessor: Sendable {
  /// A finished file.
  struct Picture {
    var data: Data
    var metadata: ImageMetadata
    var isReencoded: Bool
  }

  /// The quality of raw frames where none is asked for.
  static let standardQuality = 0.85

  let quality: Double?
  let rotation: CapturePhotoSettings.Rotation
  let turn: UprightTurn
  let manufacturer: String
  let model: String

  /// Makes the picture.
  ///
  /// - Parameters:
  ///   - frame: A whole frame.
  ///   - date: When it was taken, by the calendar.
  /// - Returns: The file.
  /// - Throws: `corruptFrame` where the next frame may do better, else why it never will.
  func picture(of frame: CapturedFrame, takenAt date: Date) throws(CaptureError) -> Picture {
    let metadata = metadata(takenAt: date)
    do {
      let picture = try file(of: frame, metadata: metadata)
      guard rotation == .pixels, metadata.orientation != .up else { return picture }
      return try turned(picture)
    } catch let error as ImagingError where error.code == .corrupt || error.code == .incomplete {
      throw CaptureError(.corruptFrame, "The camera sent a damaged picture: \(error)")
    } catch {
      throw CaptureError.wrapping(error)
    }
  }

  /// Whether a picture of the frame takes milliseconds to make.
  func encodes(_ frame: CapturedFrame) -> Bool {
    !frame.pixelFormat.isJPEG || quality != nil || rotation == .pixels
  }

  private func file(of frame: CapturedFrame, metadata: ImageMetadata) throws -> Picture {
    if frame.pixelFormat.isJPEG { return try completed(frame, metadata: metadata) }
    guard let pixels = frame.pixelBuffer else {
      throw CaptureError(
        .unsupportedFormat, "Photos cannot be made of \(frame.pixelFormat) frames.")
    }
    let encoder = JPEGEncoder(quality: quality ?? Self.standardQuality)
    return Picture(
      data: try encoder.encode(pixels, metadata: metadata), metadata: metadata,
      isReencoded: false)
  }

  private func completed(_ frame: CapturedFrame, metadata: ImageMetadata) throws -> Picture {
    let data: Data
    do {
      data = try JPEGPassthrough.photo(from: frame.bytes, metadata: metadata)
    } catch  where error.code == .incomplete {
      let whole = try JPEGPassthrough.completing(frame.bytes)
      data = try JPEGPassthrough.photo(from: whole.bytes, metadata: metadata)
    }
    guard let quality else {
      return Picture(data: data, metadata: metadata, isReencoded: false)
    }
    let pixels = try Image(data).pixelBuffer()
    return Picture(
      data: try JPEGEncoder(quality: quality).encode(pixels, metadata: metadata),
      metadata: metadata, isReencoded: true)
  }

  private func turned(_ picture: Picture) throws -> Picture {
    let (data, isLossless) = try JPEGTransform.oriented(
      picture.data, by: picture.metadata.orientation)
    var metadata = picture.metadata
    metadata.orientation = .up
    return Picture(
      data: data, metadata: metadata, isReencoded: picture.isReencoded || !isLossless)
  }

  private func metadata(takenAt date: Date) -> ImageMetadata {
    var metadata = ImageMetadata()
    metadata.orientation = turn.imageOrientation
    metadata.dateTaken = date
    metadata.make = manufacturer.isEmpty ? nil : manufacturer
    metadata.model = model.isEmpty ? nil : model
    return metadata
  }
}
