import Imaging
import Video4Linux

/// One way in which a camera could fulfil a preset; pure.
struct FormatCandidate {
  let request: CaptureFormat
  let wanted: FrameDuration
  /// The time between frames that camera and bus can keep; nil where nobody knows.
  let delivered: FrameDuration?
  let conversion: CaptureDevice.Format.Conversion?

  var pixelCount: Int { request.dimensions.pixelCount }

  /// How much slower than wanted counts as the same: a camera's 25 for 30, but not 20.
  private static let tolerance = 1.28

  /// 0 for a camera that is as fast as wanted, or does not say.
  var isSlow: Int {
    guard let delivered else { return 0 }
    return delivered.seconds > wanted.seconds * Self.tolerance ? 1 : 0
  }

  /// How far from what is wanted, in milliseconds; too slow is worse than too fast.
  var rateDistance: Int {
    guard let delivered else { return 0 }
    let distance = 1000 * (delivered.seconds - wanted.seconds)
    return Int(distance < 0 ? -distance : min(distance * 100, 1e12))
  }

  var isGrey: Int { request.pixelFormat.isGrey ? 1 : 0 }

  /// What the pictures lose on their way, the least first.
  var loss: Int {
    if conversion != nil { return 4 }
    return switch request.pixelFormat {
    case .yuyv, .uyvy: 0
    case .nv12, .nv12Multiplanar, .yuv420, .yuv420Multiplanar: 1
    // All of the colour, but twice the bytes to carry.
    case .rgb24, .bgr24, .bgra32: 2
    case .mjpeg, .jpeg: 3
    default: 2
    }
  }
}

extension PixelFormat {
  /// Whether pictures in this format have no colour.
  fileprivate var isGrey: Bool { self == .grey || SampleFormat(self)?.isGrey == true }
}
