import CaptureKitLinux
import Foundation
import Imaging

/// A frame's bytes, ready to be sent again and again; no bytes are copied.
enum ReadyFrame: Sendable {
  case raw([UInt8], PixelLayout)
  case jpeg(Data, VideoDimensions)

  var dimensions: VideoDimensions {
    switch self {
    case .raw(_, let layout): VideoDimensions(width: layout.width, height: layout.height)
    case .jpeg(_, let dimensions): dimensions
    }
  }

  var pixelFormat: PixelFormat {
    switch self {
    case .raw(_, let layout): layout.format
    case .jpeg: .mjpeg
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .raw(let bytes, _): bytes
    case .jpeg(let bytes, _): Array(bytes)
    }
  }

  /// The frame as the camera sends it now.
  func frame(_ sequence: UInt64) -> CapturedFrame {
    let timestamp = FrameTimestamp(.now, .startOfExposure)
    switch self {
    case .raw(let bytes, let layout):
      return CapturedFrame(
        bytes: bytes, layout: layout, sequence: sequence, timestamp: timestamp)
    case .jpeg(let bytes, let dimensions):
      return CapturedFrame(
        jpeg: bytes, dimensions: dimensions, sequence: sequence, timestamp: timestamp)
    }
  }
}
