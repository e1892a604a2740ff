import Imaging

/// A frame as a video data output received it, and what is to become of it.
struct ReceivedFrame: FrameOnItsWay, Sendable {
  /// How the frame is to be delivered: chosen when it arrives.
  struct Recipe: Hashable {
    /// nil for the camera's own format, untouched.
    var format: PixelFormat?
    var orientation = ImageOrientation.up
  }

  let frame: CapturedFrame
  let source: CaptureConnection
  let recipe: Recipe

  var presentationTime: HostTime { frame.presentationTime }

  var needsWork: Bool {
    guard let format = recipe.format else { return false }
    return format != frame.pixelFormat || recipe.orientation != .up
  }
}
