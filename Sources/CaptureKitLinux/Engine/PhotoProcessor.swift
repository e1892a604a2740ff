import Foundation
import Imaging

/// Makes a photo's file of a frame: the camera's own JPEG completed, or raw samples encoded.
struct PhotoProcessor: Sendable {
  /// A finished file and what goes with it.
  struct Picture: Sendable {
    var data: Data
    var metadata: ImageMetadata
    var isReencoded: Bool
    var rotation = CapturePhoto.Rotation.none
    /// The stored size.
    var size: PixelSize
    var thumbnailSize: PixelSize?
    var preview: PixelBuffer?
    var pixels: PixelBuffer?
  }

  /// The quality of raw frames where none is asked for.
  private static let standardQuality = 0.85
  /// The same where quality counts most.
  private static let highQuality = 0.95

  let wishes: PhotoWishes
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
    do {
      var picture = try file(of: frame, metadata: metadata(takenAt: date))
      if wishes.keepsPixels { picture.pixels = frame.inOwnMemory.pixelBuffer }
      return picture
    } catch let error as ImagingError where error.code == .corrupt || error.code == .incomplete {
      throw CaptureError(.corruptFrame, "The camera sent a damaged picture: \(error)")
    } catch {
      throw CaptureError.wrapping(error)
    }
  }

  private func file(of frame: CapturedFrame, metadata: ImageMetadata) throws -> Picture {
    if wishes.codec == .hevc { return try hevcPicture(of: frame, metadata: metadata) }
    var picture = try turned(stored(frame, metadata: metadata), of: frame)
    try addSmallPictures(to: &picture, of: frame)
    return picture
  }

  /// Whether a picture of the frame takes milliseconds to make.
  func takesTime(_ frame: CapturedFrame) -> Bool {
    wishes.codec != .jpeg || !frame.pixelFormat.isJPEG || wishes.quality != nil
      || wishes.rotation != .exif
      || wishes.prioritization == .quality || wishes.thumbnail != nil || wishes.preview != nil
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

// MARK: - The file

extension PhotoProcessor {
  private func stored(_ frame: CapturedFrame, metadata: ImageMetadata) throws -> Picture {
    if frame.pixelFormat.isJPEG { return try completed(frame, metadata: metadata) }
    return try encoded(rawPixels(of: frame), metadata: metadata)
  }

  func rawPixels(of frame: CapturedFrame) throws(CaptureError) -> PixelBuffer {
    guard let pixels = frame.pixelBuffer else {
      if frame.isConvertible {
        throw CaptureError(.corruptFrame, "The camera sent a frame that cannot be converted.")
      }
      throw CaptureError(
        .unsupportedFormat, "Photos cannot be made of \(frame.pixelFormat) frames.")
    }
    return pixels
  }

  /// The quality where pixels are encoded.
  var encodedQuality: Double {
    let usual = wishes.prioritization == .quality ? Self.highQuality : Self.standardQuality
    return wishes.quality ?? usual
  }

  private func encoded(_ pixels: PixelBuffer, metadata: ImageMetadata) throws -> Picture {
    let encoder = JPEGEncoder(quality: encodedQuality)
    return Picture(
      data: try encoder.encode(pixels, metadata: metadata), metadata: metadata,
      isReencoded: false, size: PixelSize(width: pixels.width, height: pixels.height))
  }

  private func completed(_ frame: CapturedFrame, metadata: ImageMetadata) throws -> Picture {
    let data = try Self.passedThrough(frame, metadata: metadata)
    let stored = JPEGPassthrough.size(of: data.bytes)
    let agreed = PixelSize(width: frame.width, height: frame.height)
    if let quality = wishes.quality {
      let pixels = try Image(data).pixelBuffer()
      return Picture(
        data: try JPEGEncoder(quality: quality).encode(pixels, metadata: metadata),
        metadata: metadata, isReencoded: true, size: stored ?? agreed)
    }
    if wishes.prioritization == .quality, !JPEGPassthrough.isSound(data.bytes) {
      throw CaptureError(.corruptFrame, "The camera sent a damaged picture.")
    }
    return Picture(data: data, metadata: metadata, isReencoded: false, size: stored ?? agreed)
  }
}

extension PhotoProcessor {
  static func passedThrough(
    _ frame: CapturedFrame, metadata: ImageMetadata
  ) throws(ImagingError) -> Data {
    do {
      return try JPEGPassthrough.photo(from: frame.bytes, metadata: metadata)
    } catch {
      guard error.code == .incomplete else { throw error }
      let whole = try JPEGPassthrough.completing(frame.bytes)
      return try JPEGPassthrough.photo(from: whole.bytes, metadata: metadata)
    }
  }
}

// MARK: - Turning

extension PhotoProcessor {
  private func turned(_ picture: Picture, of frame: CapturedFrame) throws -> Picture {
    let orientation = picture.metadata.orientation
    guard orientation != .up else { return picture }
    var result = picture
    guard wishes.rotation != .exif else {
      result.rotation = .exif
      return result
    }
    result.metadata.orientation = .up
    switch Self.moved(picture.data, by: orientation, oddEdges: oddEdges(of: frame)) {
    case .success(let moved):
      result.data = moved.data
      result.rotation = CapturePhoto.Rotation(moved.outcome)
      result.isReencoded = picture.isReencoded || moved.outcome == .reencoded
      result.size = JPEGPassthrough.size(of: moved.data.bytes) ?? picture.size
      return result
    case .failure(let error) where error.code == .unsupported:
      return try encodedTurned(frame, orientation, result.metadata, error)
    case .failure(let error): throw error
    }
  }

  private static func moved(
    _ jpeg: Data, by orientation: ImageOrientation, oddEdges: OddEdges
  ) -> Result<(data: Data, outcome: JPEGTransform.Outcome), ImagingError> {
    do throws(ImagingError) {
      return .success(try JPEGTransform.oriented(jpeg, by: orientation, oddEdges: oddEdges))
    } catch {
      return .failure(error)
    }
  }

  /// Samples that were never a JPEG are better turned before they become one.
  private func oddEdges(of frame: CapturedFrame) -> OddEdges {
    guard frame.pixelBuffer == nil else { return .fail }
    return switch wishes.rotation {
    case .exif, .pixels: .reencode()
    case .pixelsLosslessly: .fail
    case .pixelsTrimmed: .trim
    }
  }

  private func encodedTurned(
    _ frame: CapturedFrame, _ orientation: ImageOrientation, _ metadata: ImageMetadata,
    _ reason: ImagingError
  ) throws -> Picture {
    guard let pixels = frame.pixelBuffer else {
      throw CaptureError(
        .cannotRotate,
        "\(reason) Allow pixelsTrimmed or pixels, or leave the turning to EXIF.")
    }
    var picture = try encoded(pixels.upright(from: orientation), metadata: metadata)
    picture.rotation = .lossless
    return picture
  }
}

// MARK: - Small pictures

extension PhotoProcessor {
  private func addSmallPictures(to picture: inout Picture, of frame: CapturedFrame) throws {
    if let box = wishes.preview { picture.preview = try preview(of: picture, frame, box) }
    let orientation = picture.metadata.orientation
    guard let box = wishes.thumbnail else { return }
    let stored = orientation.swapsSides ? box.turned : box.pixelSize
    let small = try JPEGThumbnail.pixels(of: picture.data.bytes, fitting: stored)
    picture.data = try JPEGPassthrough.changing(
      picture.data.bytes, metadata: .merging(picture.metadata), thumbnail: .replacing(small))
    let isThere = JPEGThumbnail.embedded(in: picture.data.bytes) != nil
    picture.thumbnailSize = isThere ? PixelSize(width: small.width, height: small.height) : nil
  }

  /// Of raw frames from the pixels that all who want them share, of a camera's JPEG decoded no
  /// finer than needed.
  private func preview(
    of picture: Picture, _ frame: CapturedFrame, _ box: VideoDimensions
  ) throws -> PixelBuffer? {
    let isRaw = !frame.pixelFormat.isJPEG
    let orientation = isRaw ? turn.imageOrientation : picture.metadata.orientation
    let stored = orientation.swapsSides ? box.turned : box.pixelSize
    let small =
      isRaw
      ? try frame.pixels(as: .bgra32).fitted(into: stored)
      : try JPEGThumbnail.pixels(of: picture.data.bytes, fitting: stored)
    return try small?.upright(from: orientation)
  }
}

extension VideoDimensions {
  var pixelSize: PixelSize { PixelSize(width: width, height: height) }
  var turned: PixelSize { PixelSize(width: height, height: width) }
}

extension CapturePhoto.Rotation {
  fileprivate init(_ outcome: JPEGTransform.Outcome) {
    self =
      switch outcome {
      case .lossless: .lossless
      case .trimmed: .trimmed
      case .reencoded: .reencoded
      case .tagged: .exif
      }
  }
}

extension CapturedFrame {
  /// The same frame with its bytes out of the driver's buffer.
  var inOwnMemory: CapturedFrame {
    stored(in: storage.copied(for: NoOwner.shared))
  }
}

/// Whoever owns nothing.
private final class NoOwner: Sendable {
  static let shared = NoOwner()
}
