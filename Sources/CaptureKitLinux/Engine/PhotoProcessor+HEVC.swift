import Foundation
import Imaging

extension PhotoProcessor {
  /// Makes a HEIC file of a frame's pixels; a camera's JPEG is decoded first.
  ///
  /// The file says how it is to be turned where pixels are not, and no viewer turns such a picture
  /// twice or not at all: its size is that of the upright picture. A small picture within the file
  /// is not made.
  func hevcPicture(of frame: CapturedFrame, metadata: ImageMetadata) throws -> Picture {
    var pixels = try pixels(of: frame)
    var written = metadata
    var rotation = CapturePhoto.Rotation.none
    if metadata.orientation != .up {
      rotation = .exif
      if wishes.rotation != .exif {
        pixels = try pixels.upright(from: metadata.orientation)
        written.orientation = .up
        rotation = .lossless
      }
    }
    let data = try HEIFEncoder(quality: encodedQuality).encode(pixels, metadata: written)
    let swapsSides = written.orientation.swapsSides
    var picture = Picture(
      data: data, metadata: written, isReencoded: frame.pixelFormat.isJPEG, rotation: rotation,
      size: PixelSize(
        width: swapsSides ? pixels.height : pixels.width,
        height: swapsSides ? pixels.width : pixels.height))
    picture.metadata.orientation = .up
    if let box = wishes.preview {
      let stored = swapsSides ? box.turned : box.pixelSize
      picture.preview = try pixels.fitted(into: stored)?.upright(from: written.orientation)
    }
    return picture
  }

  private func pixels(of frame: CapturedFrame) throws -> PixelBuffer {
    guard frame.pixelFormat.isJPEG else { return try rawPixels(of: frame) }
    return try Image(Self.passedThrough(frame, metadata: ImageMetadata())).pixelBuffer()
  }
}
