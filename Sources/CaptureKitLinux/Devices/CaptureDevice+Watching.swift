public import Foundation

extension CaptureDevice {
  /// Cameras of the current environment as they come and go: see ``CaptureDeviceChanges``.
  public static var changes: CaptureDeviceChanges { CaptureEnvironment.current.deviceChanges }

  /// Posted when a camera was found to be plugged in; the object is the new ``CaptureDevice``.
  ///
  /// Cameras are looked for while somebody reads ``changes``, while a ``DiscoverySession`` lives,
  /// and whenever a list of them is asked for; a notification's observer alone makes nobody look.
  /// Posted on a queue of the environment's.
  public static let wasConnectedNotification = Notification.Name("CaptureDeviceWasConnected")

  /// Posted once when a camera was found to be unplugged; the object is the ``CaptureDevice``.
  ///
  /// A session notices by itself that its camera went. Posted on a queue of the environment's.
  public static let wasDisconnectedNotification = Notification.Name("CaptureDeviceWasDisconnected")
}

extension CaptureEnvironment {
  /// Cameras of this environment as they come and go: see ``CaptureDeviceChanges``.
  public var deviceChanges: CaptureDeviceChanges { CaptureDeviceChanges(environment: self) }

  /// Why changes are noticed late; nil where they are noticed as they happen, or nobody watches.
  public var watchError: CaptureError? { watches.error }

  func subscribe() -> DeviceSubscription { DeviceSubscription(to: self) }
}
