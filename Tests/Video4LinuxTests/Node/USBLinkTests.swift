import CaptureKitLinux
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Video4Linux

/// What sysfs says of links that USB cameras share.
@Suite(.timeLimit(.minutes(1)))
struct USBLinkTests {
  /// A camera's descriptors: control and streaming interface with settings of 128, 1024 and 3x1024 bytes, and
  /// a microphone.
  private static func camera(interval: UInt8 = 1) -> [UInt8] {
    func interface(_ number: UInt8, _ setting: UInt8, _ kind: UInt8, _ subclass: UInt8) -> [UInt8] {
      [9, 4, number, setting, 1, kind, subclass, 0, 0]
    }
    func endpoint(_ size: Int, _ interval: UInt8) -> [UInt8] {
      [7, 5, 0x81, 5, UInt8(size & 0xff), UInt8(size >> 8), interval]
    }
    var bytes: [UInt8] = [18, 1] + [UInt8](repeating: 0, count: 16)
    bytes += [9, 2, 0, 0, 3, 1, 0, 0x80, 50]
    bytes += [8, 0x0b, 0, 2, 0x0e, 3, 0, 0] + interface(0, 0, 0x0e, 1)
    // UVC's own descriptors are passed over.
    bytes += [13, 0x24] + [UInt8](repeating: 1, count: 11) + interface(1, 0, 0x0e, 2)
    for (index, size) in [128, 1024, 1024 | 2 << 11].enumerated() {
      bytes += interface(1, UInt8(index + 1), 0x0e, 2) + endpoint(size, interval)
    }
    bytes += [8, 0x0b, 2, 2, 1, 0, 0, 0] + interface(2, 0, 1, 1) + interface(3, 0, 1, 2)
    bytes += interface(3, 1, 1, 2) + endpoint(100, 4)
    return bytes
  }

  private struct Tree {
    let sysfs: FakeSysfs
    let bus = "sys/devices/pci0000:00/0000:00:14.0/usb1"

    init(controller: String = "xHCI Host Controller") throws {
      sysfs = try FakeSysfs()
      sysfs.folder.file("\(bus)/product", controller + "\n")
    }

    /// Plugs a camera in; `port` with its hubs.
    func add(
      _ port: String, node: Int, setting: Int = 0, sound: Int = 0, speed: String = "480",
      descriptors: [UInt8] = USBLinkTests.camera()
    ) throws {
      let parts = port.split(separator: ".")
      let chain = parts.indices.map { parts[...$0].joined(separator: ".") }
      sysfs.folder.file("\(bus)/\(chain[0])/speed", "480\n")
      let device = bus + "/" + chain.joined(separator: "/")
      for (name, text) in [
        ("idVendor", "046d"), ("idProduct", "0825"), ("product", "Webcam"), ("speed", speed),
        ("bConfigurationValue", "1"),
      ] { sysfs.folder.file("\(device)/\(name)", text + "\n") }
      try Data(descriptors).write(to: URL(filePath: sysfs.folder.path("\(device)/descriptors")))
      for (interface, setting) in [(0, 0), (1, setting), (2, 0), (3, sound)] {
        sysfs.folder.file("\(device)/\(port):1.\(interface)/bAlternateSetting", " \(setting)\n")
      }
      let control = "\(device)/\(port):1.0"
      sysfs.folder.file("\(control)/bInterfaceNumber", "00\n")
      let path = "\(control)/video4linux/video\(node)"
      sysfs.folder.file("\(path)/index", "0\n")
      sysfs.folder.file("\(path)/name", "Webcam\n")
      sysfs.folder.link("\(path)/device", to: "../../../\(port):1.0")
      sysfs.folder.link(
        "sys/class/video4linux/video\(node)", to: sysfs.folder.path + "/" + path)
    }

    func link(_ node: Int) -> USBLink? {
      NodeScanner(roots: sysfs.roots).usbLink(ofNodeAt: "\(sysfs.roots.dev)/video\(node)")
    }
  }

  @Test func isSharedBehindAHub() throws {
    let tree = try Tree()
    try tree.add("1-1.2", node: 0)
    try tree.add("1-1.3.1", node: 1, setting: 3, sound: 1)
    try tree.add("1-2", node: 2, setting: 3)
    let link = try #require(tree.link(0))
    #expect(link.name == "the USB hub at port 1-1" && link.bytesPerSecond == 48_000_000)
    #expect(link.choices == [1_024_000, 8_192_000, 24_576_000])
    #expect(
      link.holders == [
        USBLink.Holder(name: "Webcam at 1-1.3.1", bytesPerSecond: 24_576_000),
        USBLink.Holder(name: "the sound of Webcam at 1-1.3.1", bytesPerSecond: 100_000),
      ])
    // Its own pictures are not held against it; its own sound is.
    #expect(
      tree.link(1)?.holders == [
        USBLink.Holder(name: "the sound of Webcam at 1-1.3.1", bytesPerSecond: 100_000)
      ])
    #expect(tree.link(2)?.holders == [] && tree.link(2)?.name == "USB port 1-2")
  }

  @Test func isTheWholeBusOfAnEHCIController() throws {
    let tree = try Tree(controller: "EHCI Host Controller")
    try tree.add("1-1", node: 0)
    try tree.add("1-2", node: 1, setting: 2)
    let link = try #require(tree.link(0))
    #expect(link.name == "USB bus 1" && link.bytesPerSecond == 48_000_000)
    #expect(link.holders.map(\.bytesPerSecond) == [8_192_000])
    // The administrator has given more of it away.
    tree.sysfs.folder.file(
      "sys/devices/pci0000:00/0000:00:14.0/uframe_periodic_max", "125\n")
    #expect(tree.link(0)?.bytesPerSecond == 60_000_000)
  }

  @Test func isUnknownWhereNothingIsReserved() throws {
    let tree = try Tree()
    try tree.add("1-1.1", node: 0, speed: "12")
    try tree.add("1-1.2", node: 1, descriptors: [])
    #expect(tree.link(0) == nil && tree.link(1) == nil && tree.link(7) == nil)
    try tree.add("1-1.3", node: 2)
    tree.sysfs.folder.file(
      "\(tree.bus)/1-1/1-1.3/1-1.3:1.1/bInterfaceClass", "0e\n")
    tree.sysfs.folder.file("\(tree.bus)/1-1/1-1.3/1-1.3:1.1/bInterfaceSubClass", "02\n")
    tree.sysfs.folder.file("\(tree.bus)/1-1/1-1.3/1-1.3:1.1/ep_81/type", "Bulk\n")
    #expect(tree.link(2) == nil)
  }

  @Test func takesNoSpeedForMoreThanThereIs() throws {
    let tree = try Tree()
    try tree.add("1-1.2", node: 0)
    for speed in ["1e18", "inf", "nan", "-480", "9223372036854775807"] {
      tree.sysfs.folder.file("\(tree.bus)/1-1/speed", speed + "\n")
      #expect(tree.link(0).map { $0.bytesPerSecond >= 48_000_000 } ?? true)
    }
  }

  @Test func isToldByTheBackend() throws {
    let tree = try Tree()
    try tree.add("1-1.1", node: 0)
    try tree.add("1-1.2", node: 1, setting: 3)
    let backend = Video4LinuxBackend(kernel: LinuxKernel(), roots: tree.sysfs.roots)
    var camera = CaptureDeviceDescription(uniqueID: "x", localizedName: "Webcam")
    camera.nodePath = "\(tree.sysfs.roots.dev)/video0"
    let load = try #require(backend.busLoad(of: camera))
    #expect(load.freeBandwidth == 48_000_000 - 24_576_000 && load.choices.count == 3)
    #expect(load.holders.map(\.name) == ["Webcam at 1-1.2"])
  }

  @Test func readsSuperSpeedsCompanions() {
    let endpoint: [UInt8] = [7, 5, 0x81, 5, 0, 4, 1]
    let head: [UInt8] = [9, 4, 1, 1, 1, 0x0e, 2, 0, 0]
    let companion: [UInt8] = [6, 0x30, 15, 2, 0x00, 0xc0]
    let one = USBDescriptors(head + endpoint + companion, configuration: nil, megabits: 5000)
    #expect(one.isochronous.map(\.bytesPerSecond) == [0xc000 * 8000])
    let long: [UInt8] = [8, 0x31, 0, 0, 0x00, 0x80, 0x01, 0x00]
    let two = USBDescriptors(
      head + endpoint + companion + long, configuration: nil, megabits: 10_000)
    #expect(two.isochronous.map(\.bytesPerSecond) == [0x18000 * 8000])
    #expect(
      USBDescriptors(companion + long, configuration: nil, megabits: 5000).isochronous.isEmpty)
  }

  @Test func survivesDescriptorsThatMakeNoSense() {
    let whole = Self.camera()
    var state: UInt32 = 7
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<3 {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes[Int(state >> 8) % bytes.count] = UInt8(truncatingIfNeeded: state >> 3)
      }
      bytes.removeLast(Int(state >> 16) % bytes.count)
      let read = USBDescriptors(bytes, configuration: 1, megabits: 480)
      #expect(read.isochronous.count <= bytes.count / 7)
    }
    #expect(USBDescriptors(whole, configuration: 2, megabits: 480).isochronous.isEmpty)
  }
}
