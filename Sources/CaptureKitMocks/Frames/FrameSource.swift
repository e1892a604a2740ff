import CaptureKitLinux
import Foundation
import Imaging

/// Makes the frames of one stream; called by one thread at a time.
protocol FrameSource: Sendable {
  func frame(for request: MockFrameRequest) throws -> CapturedFrame
  func blackFrame(for request: MockFrameRequest) throws -> CapturedFrame
}

extension FrameSource {
  /// A picture without light, for sources that do not know how to paint.
  func blackFrame(for request: MockFrameRequest) throws -> CapturedFrame {
    try PatternSource(format: request.format, color: .bt601Limited, jpeg: JPEGStyle())
      .blackFrame(for: request)
  }
}

/// Frames of a closure.
struct GeneratedSource: FrameSource {
  let body: @Sendable (MockFrameRequest) throws -> CapturedFrame

  func frame(for request: MockFrameRequest) throws -> CapturedFrame { try body(request) }
}

/// JPEG pictures in turn.
struct PictureSource: FrameSource {
  struct Picture: Sendable {
    let bytes: Data
    let dimensions: VideoDimensions
  }

  let pictures: [Picture]

  func frame(for request: MockFrameRequest) throws -> CapturedFrame {
    guard !pictures.isEmpty else { throw CaptureError(.unsupportedFormat) }
    let picture = pictures[Int(request.sequence % UInt64(pictures.count))]
    return CapturedFrame(
      jpeg: picture.bytes, dimensions: picture.dimensions, sequence: request.sequence,
      timestamp: request.timestamp, duration: request.format.frameDuration)
  }
}
