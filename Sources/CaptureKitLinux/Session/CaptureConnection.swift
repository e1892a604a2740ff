import Synchronization

/// The way of frames from a camera to an output; Apple's `AVCaptureConnection`.
///
/// The session makes connections when inputs and outputs are added. All members may be used from
/// any thread; a photo takes the values that hold when it is asked for.
public final class CaptureConnection: Sendable {
  /// Where the frames come from.
  public let input: CaptureDeviceInput
  let outputID: ObjectIdentifier
  private let state: Mutex<State>

  private struct State {
    weak var output: (any CaptureOutput)?
    var isEnabled = true
    var isActive = false
    var videoOrientation = CaptureVideoOrientation.portrait
    var isVideoMirrored = false
    var format: CaptureFormat?
  }

  init(input: CaptureDeviceInput, output: any CaptureOutput) {
    self.input = input
    outputID = ObjectIdentifier(output)
    state = Mutex(State(output: output))
  }

  /// Where the frames go; nil once the output is gone.
  public var output: (any CaptureOutput)? { state.withLock { $0.output } }

  /// Whether frames may flow; true until it is set.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// Whether frames flow: the session runs and the camera is there.
  public var isActive: Bool { state.withLock { $0.isActive } }

  /// What the camera delivers; nil while it is not running.
  public var format: CaptureFormat? { state.withLock { $0.format } }

  /// How the pictures are to be turned; `.portrait`, the natural position, until it is set.
  ///
  /// Set it from how the device is held with ``CaptureVideoOrientation/init(_:fallback:)``.
  public var videoOrientation: CaptureVideoOrientation {
    get { state.withLock { $0.videoOrientation } }
    set { state.withLock { $0.videoOrientation = newValue } }
  }

  /// Whether ``videoOrientation`` has an effect: always.
  public var isVideoOrientationSupported: Bool { true }

  /// Whether the upright picture is flipped left to right; false until it is set.
  public var isVideoMirrored: Bool {
    get { state.withLock { $0.isVideoMirrored } }
    set { state.withLock { $0.isVideoMirrored = newValue } }
  }

  /// Whether ``isVideoMirrored`` has an effect: always.
  public var isVideoMirroringSupported: Bool { true }

  func activate(_ format: CaptureFormat) {
    state.withLock { state in
      state.isActive = true
      state.format = format
    }
  }

  func deactivate() {
    state.withLock { state in
      state.isActive = false
      state.format = nil
    }
  }

  /// What makes the camera's pictures upright now.
  var uprightTurn: UprightTurn {
    let (orientation, isMirrored) = state.withLock { ($0.videoOrientation, $0.isVideoMirrored) }
    return UprightTurn(
      position: input.device.position, mountingAngle: input.device.mountingAngle,
      orientation: orientation, isMirrored: isMirrored)
  }
}
