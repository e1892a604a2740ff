public import Foundation
package import Imaging
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
    /// nil until it is set.
    var rotation: Rotation?
    /// nil where the camera's position decides.
    var mirroring: Bool? = false
    var format: CaptureFormat?
    /// Why nothing comes although the session was started.
    var obstacle: CaptureError?
    weak var loop: StreamLoop?
    var lastError: CaptureError?
  }

  /// What was set last: how the device is held, or the angle itself.
  private enum Rotation {
    case orientation(CaptureVideoOrientation)
    case angle(CGFloat)
  }

  init(input: CaptureDeviceInput, output: any CaptureOutput) {
    self.input = input
    outputID = ObjectIdentifier(output)
    state = Mutex(State(output: output, mirroring: output is PreviewOutput ? nil : false))
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

  /// Whether the upright picture is flipped left to right.
  ///
  /// False until it is set; a preview layer's connection mirrors front cameras. Setting it ends
  /// that.
  public var isVideoMirrored: Bool {
    get { state.withLock { $0.mirroring } ?? mirrorsByPosition }
    set { state.withLock { $0.mirroring = newValue } }
  }

  /// Whether the camera's position decides about ``isVideoMirrored``: front cameras are mirrored.
  ///
  /// True for a preview layer's connection, false for all others, until it is set.
  public var automaticallyAdjustsVideoMirroring: Bool {
    get { state.withLock { $0.mirroring == nil } }
    set {
      let asBefore = mirrorsByPosition
      state.withLock { $0.mirroring = newValue ? nil : $0.mirroring ?? asBefore }
    }
  }

  private var mirrorsByPosition: Bool { input.device.position == .front }

  /// Whether ``isVideoMirrored`` has an effect: always, but on the frames that a video data output
  /// hands out as the camera sends them.
  public var isVideoMirroringSupported: Bool { true }

  func activate(_ format: CaptureFormat, by loop: StreamLoop) {
    state.withLock { state in
      state.isActive = true
      state.format = format
      state.obstacle = nil
      state.loop = loop
    }
  }

  func deactivate() {
    state.withLock { state in
      state.isActive = false
      state.format = nil
      state.obstacle = nil
      state.loop = nil
    }
  }

  /// Nothing comes for a while; photos that are asked for meanwhile are told why.
  func suspend(because error: CaptureError) {
    state.withLock { state in
      state.isActive = false
      state.format = nil
      state.obstacle = error
    }
  }

  /// A consumer of the output did not get frames.
  package func noteLateFrames(_ count: UInt64 = 1) {
    state.withLock { $0.loop }?.state.withLock { $0.counters.late &+= count }
  }

  /// Why the camera is interrupted; nil where it is not.
  var obstacle: CaptureError? { state.withLock { $0.obstacle } }

  /// Asks the connection's camera for a short stay in another format; see ``FormatDetour``.
  ///
  /// - Returns: Whether it was taken up; where it was not, none of its closures is called.
  func take(_ detour: FormatDetour) -> Bool {
    state.withLock { $0.loop }?.take(detour) ?? false
  }
}

// MARK: - Rotation

extension CaptureConnection {
  /// How the pictures are to be turned; `.portrait`, the natural position, until it is set.
  ///
  /// Set it from how the device is held with ``CaptureVideoOrientation/init(_:fallback:)``. It and
  /// ``videoRotationAngle`` are two names for one turn; the one that was set last decides.
  public var videoOrientation: CaptureVideoOrientation {
    get { orientation(of: state.withLock { $0.rotation }) }
    set { state.withLock { $0.rotation = .orientation(newValue) } }
  }

  /// Whether ``videoOrientation`` has an effect: always, but on the frames that a video data output
  /// hands out as the camera sends them.
  public var isVideoOrientationSupported: Bool { true }

  /// Degrees clockwise by which the camera's pictures are turned, its mounting included.
  ///
  /// Until it is set, what the natural position needs: ``CaptureDevice/mountingAngle``. Set it from
  /// a ``CaptureDevice/RotationCoordinator``. An angle that is not supported changes nothing and is
  /// kept in ``lastError``; ``setVideoRotationAngle(_:)`` throws it.
  public var videoRotationAngle: CGFloat {
    get { CGFloat(uprightTurn.clockwiseAngle) }
    set {
      do {
        try setVideoRotationAngle(newValue)
      } catch {
        let error = CaptureError.wrapping(error)
        state.withLock { $0.lastError = error }
      }
    }
  }

  /// Whether pictures can be turned by an angle: by 0, 90, 180 and 270 degrees.
  public func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool {
    [0, 90, 180, 270].contains(videoRotationAngle)
  }

  /// Sets by which angle the camera's pictures are turned.
  ///
  /// - Parameter angle: Degrees clockwise: 0, 90, 180 or 270.
  /// - Throws: ``CaptureError`` with the code `unsupportedValue` for any other angle.
  public func setVideoRotationAngle(_ angle: CGFloat) throws {
    guard isVideoRotationAngleSupported(angle) else {
      throw CaptureError(
        .unsupportedValue, "Pictures cannot be turned by \(angle)°: use 0, 90, 180 or 270.")
    }
    state.withLock { $0.rotation = .angle(angle) }
  }

  /// The last refused change; nil where there was none.
  public var lastError: CaptureError? { state.withLock { $0.lastError } }

  /// What makes frames upright: nothing until rotation or mirroring was set, as on Apple's systems.
  var frameOrientation: ImageOrientation {
    if state.withLock({ $0.rotation }) != nil { return uprightTurn.imageOrientation }
    return isVideoMirrored ? .upMirrored : .up
  }

  /// What makes the camera's pictures upright now, as EXIF counts.
  package var uprightOrientation: ImageOrientation { uprightTurn.imageOrientation }

  /// What makes the camera's pictures upright now.
  var uprightTurn: UprightTurn {
    turn(for: orientation(of: state.withLock { $0.rotation }), isMirrored: isVideoMirrored)
  }

  private func orientation(of rotation: Rotation?) -> CaptureVideoOrientation {
    switch rotation {
    case nil: .portrait
    case .orientation(let orientation): orientation
    case .angle(let angle):
      CaptureVideoOrientation.allCases.first { CGFloat(turn(for: $0).clockwiseAngle) == angle }
        ?? .portrait
    }
  }

  private func turn(
    for orientation: CaptureVideoOrientation, isMirrored: Bool = false
  ) -> UprightTurn {
    UprightTurn(
      position: input.device.position, mountingAngle: input.device.mountingAngle,
      orientation: orientation, isMirrored: isMirrored)
  }
}
