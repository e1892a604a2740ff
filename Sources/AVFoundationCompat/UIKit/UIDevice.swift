public import CaptureKitLinux
import Dispatch
public import Foundation
import Synchronization

/// How the machine is held; UIKit's `UIDevice`.
///
/// ```swift
/// UIDevice.current.beginGeneratingDeviceOrientationNotifications()
/// connection.videoOrientation = AVCaptureVideoOrientation(UIDevice.current.orientation)
/// ```
///
/// It reads the machine's accelerometer. A machine without one is held upright, `portrait`, as a
/// PC is; a kiosk or a test says otherwise with ``orientationSource``. May be used from any thread.
public final class UIDevice: Sendable {
  /// This machine.
  public static let current: UIDevice = UIDevice()

  /// Posted on the main queue when ``orientation`` has changed, between
  /// ``beginGeneratingDeviceOrientationNotifications()`` and its end; the object is the device.
  public static let orientationDidChangeNotification = Notification.Name(
    "UIDeviceOrientationDidChangeNotification")

  private struct State {
    var source: (any DeviceOrientationSource)?
    var generators = 0
    var observation: CaptureObservation?
    /// What was told last.
    var known = DeviceOrientation.unknown
  }

  private let state = Mutex(State())

  package init() {}

  /// How the device is held; `unknown` where its sensor does not say.
  public var orientation: UIDeviceOrientation { orientationSource.orientation }

  /// Who says how the device is held: its accelerometer, where it has one, until it is set.
  public var orientationSource: any DeviceOrientationSource {
    get {
      if let source = state.withLock({ $0.source }) { return source }
      let found: any DeviceOrientationSource =
        (try? AccelerometerDeviceOrientation()) ?? ManualDeviceOrientation(.portrait)
      return state.withLock { state in
        let source = state.source ?? found
        state.source = source
        return source
      }
    }
    set {
      let isWatched = state.withLock { state in
        state.source = newValue
        return state.generators > 0
      }
      if isWatched { watch(newValue) }
    }
  }

  /// Whether changes are told.
  public var isGeneratingDeviceOrientationNotifications: Bool {
    state.withLock { $0.generators > 0 }
  }

  /// Lets changes be told; each call needs its ``endGeneratingDeviceOrientationNotifications()``.
  public func beginGeneratingDeviceOrientationNotifications() {
    let source = orientationSource
    let now = source.orientation
    let isFirst = state.withLock { state in
      state.generators += 1
      if state.generators == 1 { state.known = now }
      return state.generators == 1
    }
    if isFirst { watch(source) }
  }

  /// Ends the telling of changes with the last call; does nothing where it had not begun.
  public func endGeneratingDeviceOrientationNotifications() {
    let observation = state.withLock { state -> CaptureObservation? in
      state.generators = max(0, state.generators - 1)
      guard state.generators == 0 else { return nil }
      defer { state.observation = nil }
      return state.observation
    }
    observation?.invalidate()
  }

  private func watch(_ source: any DeviceOrientationSource) {
    let observation = source.observe { [weak self, weak source] orientation in
      self?.note(orientation, of: source)
    }
    let old = state.withLock { state -> CaptureObservation? in
      guard state.generators > 0, state.source === source else { return observation }
      defer { state.observation = observation }
      return state.observation
    }
    old?.invalidate()
  }

  private func note(_ orientation: DeviceOrientation, of source: (any DeviceOrientationSource)?) {
    let isNews = state.withLock { state in
      guard state.generators > 0, state.source === source, state.known != orientation else {
        return false
      }
      state.known = orientation
      return true
    }
    guard isNews else { return }
    DispatchQueue.main.async {
      NotificationCenter.default.post(name: Self.orientationDidChangeNotification, object: self)
    }
  }
}
