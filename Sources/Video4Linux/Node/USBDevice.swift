import Glibc
import LinuxSystem

/// A device at the USB bus, all of its functions together.
struct USBDevice {
  /// Its node, `/dev/bus/usb/001/004`.
  let path: String

  /// Nil where the folder is not a USB device's.
  /// - Parameters:
  ///   - folder: The device's, in sysfs.
  ///   - roots: Where nodes are.
  init?(folder: String, roots: DeviceRoots) {
    func number(_ name: String) -> String? {
      FileTree.text(at: "\(folder)/\(name)").flatMap { UInt16($0) }.map { number in
        String(repeating: "0", count: max(0, 3 - String(number).count)) + String(number)
      }
    }
    guard let bus = number("busnum"), let device = number("devnum") else { return nil }
    path = "\(roots.dev)/bus/usb/\(bus)/\(device)"
  }

  /// Resets it (USBDEVFS_RESET); returns when it has come back or has not.
  /// - Throws: `notPermitted`, `resetFailed`.
  func reset(kernel: any Kernel, roots: DeviceRoots) throws(VideoNodeError) {
    do throws(Errno) {
      let number = try withoutInterrupts { () throws(Errno) in
        try kernel.open(path, flags: O_RDWR | O_CLOEXEC | O_NONBLOCK)
      }
      let descriptor = Descriptor(owning: number, of: kernel)
      // The request takes no argument.
      var nothing = CInt(0)
      try withoutInterrupts { () throws(Errno) in
        try unsafe kernel.ioctl(descriptor.rawValue, Request.resetUSBDevice, &nothing)
      }
    } catch {
      throw .resetFailed(path, error)
    }
  }
}
