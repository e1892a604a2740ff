public import CaptureKitLinux
import CaptureKitMocks
import Dispatch

/// A machine with one simulated camera that somebody unplugs and plugs in again all the time.
public final class RestlessCamera {
  /// The machine.
  public let environment: CaptureEnvironment
  private let timer: any DispatchSourceTimer

  /// Makes the machine; the camera is there.
  public init() {
    let camera = MockCamera(uniqueID: "simulated", deviceType: .external)
    environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "restless-camera"))
    // Of one queue, one after the other.
    nonisolated(unsafe) var isThere = true
    timer.setEventHandler {
      if isThere { camera.unplug() } else { camera.replug() }
      isThere.toggle()
    }
    timer.schedule(deadline: .now() + 0.3, repeating: 0.3)
  }

  /// Pulls the plug for the first time a moment later.
  public func begin() { timer.activate() }

  /// Leaves the camera as it is.
  public func end() { timer.cancel() }
}
