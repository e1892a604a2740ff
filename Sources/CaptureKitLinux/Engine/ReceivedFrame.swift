import Imaging

/// A frame as a video data output received it, and what is to become of it.
struct ReceivedFrame: FrameOnItsWay, Sendable {
  let frame: CapturedFrame
  let source: CaptureConnection
  /// How it is to be delivered, chosen when it arrives; nil for the camera's own format, untouched.
  let wish: FrameConversions.Wish?

  var presentationTime: HostTime { frame.presentationTime }

  var needsWork: Bool { wish.map { !$0.isMet(by: frame) } ?? false }
}
