import CaptureKitLinux
import Imaging

/// Frames of the test pattern, raw or as JPEG.
struct PatternSource: FrameSource {
  private let pattern: TestPattern
  private let background: PixelCanvas
  private let jpeg: JPEGStyle?

  init(format: CaptureFormat, color: ColorDescription, jpeg: JPEGStyle) throws {
    let size = format.dimensions
    let isJPEG = format.pixelFormat.isJPEG
    pattern = TestPattern(width: size.width, height: size.height)
    // Webcams halve the width of chroma only.
    let background = pattern.background(
      format: isJPEG ? .yuyv : format.pixelFormat, color: isJPEG ? .jpeg : color)
    guard let background else {
      throw CaptureError(
        .unsupportedFormat,
        "The simulated camera has no test pattern as \(format.pixelFormat) \(size).")
    }
    self.background = background
    self.jpeg = isJPEG ? jpeg : nil
  }

  func frame(for request: MockFrameRequest) throws -> CapturedFrame {
    var canvas = background(light: request.light)
    pattern.draw(frame: Int(truncatingIfNeeded: request.sequence), on: &canvas)
    return try frame(of: canvas, for: request)
  }

  private func background(light: Double) -> PixelCanvas {
    guard light != 1 else { return background }
    return pattern.background(
      format: background.layout.format, color: background.color, light: light) ?? background
  }

  func blackFrame(for request: MockFrameRequest) throws -> CapturedFrame {
    let black = pattern.black(format: background.layout.format, color: background.color)
    return try frame(of: black ?? background, for: request)
  }

  private func frame(
    of canvas: PixelCanvas, for request: MockFrameRequest
  ) throws -> CapturedFrame {
    guard let jpeg else {
      return CapturedFrame(
        bytes: canvas.bytes, layout: canvas.layout, color: canvas.color,
        sequence: request.sequence, timestamp: request.timestamp,
        duration: request.format.frameDuration)
    }
    return CapturedFrame(
      jpeg: try jpeg.encode(canvas), dimensions: request.format.dimensions,
      sequence: request.sequence, timestamp: request.timestamp,
      duration: request.format.frameDuration)
  }
}
