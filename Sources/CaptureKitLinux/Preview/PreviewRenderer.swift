import Foundation
import Imaging
import Synchronization

/// Draws frames as a layer shows them; on any thread.
final class PreviewRenderer: Sendable {
  /// What the user wishes.
  struct Look: Sendable {
    var videoGravity = LayerVideoGravity.resizeAspect
    var bounds = CGRect.zero
    var contentsScale: Double = 1
    var pixelAspectRatio: Double = 1
    var backgroundColor = PreviewColor.black

    /// The layer's own size in pixels; nil while it has none.
    var pixelSize: PixelSize? {
      let width = (bounds.width * contentsScale).rounded()
      let height = (bounds.height * contentsScale).rounded()
      let sides = 1...Double(PixelLayout.maximumSide)
      guard sides.contains(width), sides.contains(height) else { return nil }
      return PixelSize(width: Int(width), height: Int(height))
    }
  }

  let look = Mutex(Look())
  private let pool = PixelPool()
  /// Memory for JPEGs that are decoded for this layer alone.
  private let decoded = PixelPool()
  /// The least decoded pixels for a drawn one, along each side.
  private static let leastRatio = 1.5

  /// Draws a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - number: What the image is called.
  ///   - turn: What makes the frame upright.
  ///   - size: The image's size; nil for the layer's own.
  /// - Returns: The image; nil where the layer has no size.
  /// - Throws: `ImagingError` where the frame cannot be read.
  func image(
    of frame: CapturedFrame, number: UInt64, turn: UprightTurn, size: PixelSize? = nil
  ) throws -> PreviewImage? {
    let look = look.withLock { $0 }
    guard let size = size ?? look.pixelSize else { return nil }
    func geometry(of picture: VideoDimensions) -> PreviewGeometry {
      PreviewGeometry(
        imageSize: picture, bounds: CGRect(x: 0, y: 0, width: size.width, height: size.height),
        videoGravity: look.videoGravity, clockwiseAngle: turn.clockwiseAngle,
        isMirrored: turn.isMirrored, pixelAspectRatio: look.pixelAspectRatio)
    }
    let (source, dimensions) = try pixels(of: frame, for: geometry(of: frame.dimensions))
    let geometry = geometry(of: dimensions)
    let color = look.backgroundColor
    let drawn = try source.drawn(
      PixelPlacement(
        canvas: size, x: geometry.videoRect.minX, y: geometry.videoRect.minY,
        width: geometry.videoRect.width, height: geometry.videoRect.height,
        clockwiseAngle: turn.clockwiseAngle, isMirrored: turn.isMirrored,
        background: .init(red: color.red, green: color.green, blue: color.blue)),
      from: pool)
    return PreviewImage(
      pixels: drawn, presentationTime: frame.presentationTime, geometry: geometry, number: number)
  }

  /// A frame's pixels, and the size of its picture: a JPEG is decoded no more finely than it is
  /// seen.
  private func pixels(
    of frame: CapturedFrame, for geometry: PreviewGeometry
  ) throws -> (PixelBuffer, VideoDimensions) {
    if let pixels = frame.pixelBuffer {
      return (pixels, VideoDimensions(width: pixels.width, height: pixels.height))
    }
    guard frame.pixelFormat.isJPEG else {
      throw CaptureError(.unsupportedFormat, "\(frame.pixelFormat) frames cannot be shown.")
    }
    let isTurned = !geometry.clockwiseAngle.isMultiple(of: 180)
    let seen = geometry.videoRect.size
    // Of these, what is drawn is an average still.
    return try frame.pixelsOfJPEG(
      leaving: Self.leastRatio * (isTurned ? seen.height : seen.width),
      by: Self.leastRatio * (isTurned ? seen.width : seen.height), from: decoded)
  }
}
