import LinuxSystem
import TestSupport

/// A tree as sysfs has it, in a temporary folder.
struct FakeSysfs {
  let folder: TemporaryFolder
  var roots: DeviceRoots {
    DeviceRoots(dev: folder.path + "/dev", sys: folder.path + "/sys", proc: folder.path + "/proc")
  }

  init() throws {
    folder = try TemporaryFolder()
    folder.folder("sys/class/video4linux")
    folder.folder("sys/bus/usb")
    folder.folder("sys/bus/pci")
    folder.folder("sys/bus/platform")
    folder.folder("dev")
  }

  private let controller = "sys/devices/pci0000:00/0000:00:14.0"

  /// A camera at a USB port, with one video interface and its nodes.
  func addUSB(
    port: String, nodes: [Int], serial: String? = nil, vendor: String = "046d",
    product: String = "0825", removable: String? = "removable", interface: String = "00",
    speed: String? = nil, streamsInBulk: Bool = false, address: (bus: Int, device: Int)? = nil
  ) {
    let device = "\(controller)/usb1/\(port)"
    folder.file("\(device)/idVendor", vendor + "\n")
    folder.file("\(device)/idProduct", product + "\n")
    folder.file("\(device)/manufacturer", "Lab\n")
    folder.file("\(device)/product", "Lab Camera\n")
    if let serial { folder.file("\(device)/serial", serial + "\n") }
    if let removable { folder.file("\(device)/removable", removable + "\n") }
    if let address {
      folder.file("\(device)/busnum", "\(address.bus)\n")
      folder.file("\(device)/devnum", "\(address.device)\n")
    }
    if let speed { folder.file("\(device)/speed", speed + "\n") }
    if streamsInBulk {
      folder.file("\(device)/\(port):1.1/bInterfaceClass", "0e\n")
      folder.file("\(device)/\(port):1.1/bInterfaceSubClass", "02\n")
      folder.file("\(device)/\(port):1.1/ep_81/type", "Bulk\n")
    }
    folder.link("\(controller)/subsystem", to: folder.path + "/sys/bus/pci")
    let number = Int(interface, radix: 16) ?? 0
    addNodes(nodes, to: "\(device)/\(port):1.\(number)", name: "Lab Camera: Lab Camera")
    folder.file("\(device)/\(port):1.\(number)/bInterfaceNumber", interface + "\n")
  }

  /// A device of another bus and its nodes.
  func add(_ path: String, bus: String, nodes: [Int], name: String = "Camera") {
    folder.folder("sys/devices/\(path)")
    folder.link("sys/devices/\(path)/subsystem", to: folder.path + "/sys/bus/\(bus)")
    addNodes(nodes, to: "sys/devices/\(path)", name: name)
  }

  /// A node without a device.
  func addVirtual(_ node: Int) {
    let path = "sys/devices/virtual/video4linux/video\(node)"
    folder.file("\(path)/name", "Dummy\n")
    folder.file("\(path)/index", "0\n")
    folder.link("sys/class/video4linux/video\(node)", to: folder.path + "/" + path)
  }

  private func addNodes(_ nodes: [Int], to device: String, name: String) {
    for (index, node) in nodes.enumerated() {
      let path = "\(device)/video4linux/video\(node)"
      folder.file("\(path)/index", "\(index)\n")
      folder.file("\(path)/name", name + "\n")
      folder.link("\(path)/device", to: "../../../\(device.split(separator: "/").last ?? "")")
      folder.link("sys/class/video4linux/video\(node)", to: folder.path + "/" + path)
    }
  }
}
