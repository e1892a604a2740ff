/// A node as the scanner found it.
package struct CameraNode: Hashable, Sendable {
  /// `/dev/video0`; changes from start to start.
  package var path: String
  /// For people to read.
  package var name: String
  /// Empty where the node could not be asked.
  package var driver: String
  /// The driver's own words for where the device is; empty where the node could not be asked.
  package var busInfo: String
  package var identity: DeviceIdentity
  /// Names this camera across restarts: see ``StableIDs``.
  package var stableID: String
  /// What it offers now; empty where the node could not be asked.
  package var formats: [PixelFormatDescription]
  /// Where the kernel says that it looks.
  package var orientation: CameraOrientation?
  /// How the kernel says that its sensor is mounted: the degrees by which the picture is to be
  /// turned counter-clockwise.
  package var sensorRotation: Int?
  /// Why it is not offered as a camera, in the middle of a sentence; nil if it is.
  package var objection: String?
  /// Tells this stay of the camera in the machine from the ones before and after; nil where nothing
  /// does.
  package var connectionID: UInt64?
  /// Whether this process may use it. One that may not be asked is taken for a camera when it is
  /// the main node of its interface.
  package var isAccessible: Bool

  /// Whether it is offered as a camera.
  package var isListed: Bool { objection == nil }
  package var bus: DeviceBus { identity.bus }
}
