/// What a device is attached to.
package enum DeviceBus: Hashable, Sendable {
  /// Whether a USB device can be unplugged by its user, as sysfs's `removable` says.
  package enum Removability: Hashable, Sendable {
    case fixed
    case removable
    case unknown
  }

  case usb(Removability)
  case pci
  case platform
  /// No hardware at all.
  case virtual
  case unknown
}
