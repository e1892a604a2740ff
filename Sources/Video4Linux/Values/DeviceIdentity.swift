/// Which device a node belongs to, as sysfs describes it.
package struct DeviceIdentity: Hashable, Sendable {
  package var bus: DeviceBus = .unknown
  /// USB's idVendor and idProduct.
  package var vendorID: UInt16?
  package var productID: UInt16?
  /// As the device says it; several devices may say the same.
  package var serialNumber: String?
  package var manufacturer: String?
  package var product: String?
  /// Bus and port chain of a USB device, `1-1.2`; the kernel's name of another kind of device.
  package var port: String?
  /// Of a USB device with several: which one the node belongs to.
  package var interfaceNumber: UInt8?
  /// Megabits a second of the USB port; nil for other devices, and where sysfs does not say.
  package var busSpeed: Int?
  /// Whether a USB device sends pictures in bulk, which leaves the bus more room than
  /// isochronously.
  package var sendsInBulk = false
  /// The node's number among those of its interface; 0 is the main one. Nil without sysfs.
  package var index: UInt32?
  /// The device's folder in sysfs, the same for all of its nodes. Nil without sysfs.
  package var devicePath: String?
  /// The side of the machine that firmware says it is built into.
  package var panel: CameraOrientation?

  package init() {}
}
