import LinuxSystem
import TestSupport
import Testing

@testable import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct DeviceIdentityTests {
  private let sysfs: FakeSysfs

  init() throws { sysfs = try FakeSysfs() }

  private func identity(_ name: String) -> DeviceIdentity? {
    DeviceIdentity(ofNodeNamed: name, roots: sysfs.roots)
  }

  @Test func walksToTheUSBDevice() throws {
    sysfs.addUSB(port: "1-1.2", nodes: [0, 1], serial: "CAM1", interface: "0a")

    let identity = try #require(self.identity("video1"))

    #expect(identity.bus == .usb(.removable))
    #expect(identity.vendorID == 0x046d)
    #expect(identity.productID == 0x0825)
    #expect(identity.serialNumber == "CAM1")
    #expect(identity.manufacturer == "Lab")
    #expect(identity.product == "Lab Camera")
    #expect(identity.port == "1-1.2")
    #expect(identity.interfaceNumber == 10)
    #expect(identity.index == 1)
    #expect(identity.devicePath?.hasSuffix("/usb1/1-1.2") == true)
  }

  @Test(
    arguments: [
      ("fixed", .usb(.fixed)), ("removable", .usb(.removable)), ("unknown", .usb(.unknown)),
      (nil, .usb(.unknown)),
    ] as [(String?, DeviceBus)])
  func knowsWhatIsBuiltIn(removable: String?, bus: DeviceBus) {
    sysfs.addUSB(port: "1-5", nodes: [0], removable: removable)
    #expect(identity("video0")?.bus == bus)
  }

  @Test func takesAnEmptySerialNumberForNone() {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: " ")
    #expect(identity("video0")?.serialNumber == nil)
    #expect(identity("video0")?.vendorID == 0x046d)
  }

  @Test(
    arguments: [("480", 480), ("5000", 5000), ("1.5", 2), (nil, nil), ("fast", nil)]
      as [(String?, Int?)])
  func knowsHowFastItsPortIs(text: String?, speed: Int?) {
    sysfs.addUSB(port: "1-5", nodes: [0], speed: text)
    #expect(identity("video0")?.busSpeed == speed)
    #expect(identity("video0")?.sendsInBulk == false)
  }

  @Test func knowsACameraThatSendsInBulk() {
    sysfs.addUSB(port: "1-5", nodes: [0], streamsInBulk: true)
    #expect(identity("video0")?.sendsInBulk == true)
  }

  @Test func knowsTheOtherBuses() {
    sysfs.add("platform/vivid.0", bus: "platform", nodes: [0, 1])
    sysfs.add("pci0000:00/0000:00:05.0", bus: "pci", nodes: [2])
    sysfs.addVirtual(8)

    #expect(identity("video1")?.bus == .platform)
    #expect(identity("video1")?.port == "vivid.0")
    #expect(identity("video1")?.index == 1)
    #expect(identity("video2")?.bus == .pci)
    #expect(identity("video2")?.port == "0000:00:05.0")
    #expect(identity("video8")?.bus == .virtual)
    #expect(identity("video8")?.port == "video8")
  }

  @Test func findsTheBusOfASensorBehindABridge() {
    sysfs.add("platform/soc", bus: "platform", nodes: [])
    sysfs.add("platform/soc/i2c-10/10-0010", bus: "i2c", nodes: [0])
    #expect(identity("video0")?.bus == .platform)
    #expect(identity("video0")?.port == "10-0010")
  }

  @Test func knowsNothingOfAnUnknownNode() {
    #expect(identity("video0") == nil)
  }

  @Test(
    arguments: [
      ("usb-0000:00:14.0-1", .usb(.unknown)), ("PCI:0000:00:05.0", .pci),
      ("platform:fake", .platform), ("", .unknown), ("ISA", .unknown),
    ] as [(String, DeviceBus)])
  func guessesTheBusFromTheDriversWords(busInfo: String, bus: DeviceBus) {
    #expect(DeviceIdentity(busInfo: busInfo).bus == bus)
  }

  @Test(arguments: [("front", CameraOrientation.front), ("back", .back), ("left", nil)])
  func readsTheSideOfTheMachineFromTheFirmware(panel: String, side: CameraOrientation?) {
    sysfs.add("platform/isp", bus: "platform", nodes: [0])
    sysfs.folder.file("sys/devices/platform/isp/physical_location/panel", panel + "\n")
    #expect(identity("video0")?.panel == side)
  }

  @Test func readsTheSideOfABuiltInUSBCameraFromItsPort() {
    sysfs.addUSB(port: "1-5", nodes: [0], removable: "fixed")
    let device = "sys/devices/pci0000:00/0000:00:14.0/usb1/1-5"
    sysfs.folder.file(device + "/port/physical_location/panel", "front\n")
    #expect(identity("video0")?.panel == .front)
  }

  @Test func takesNoPortsSideForACameras() {
    sysfs.addUSB(port: "1-5", nodes: [0], removable: "removable")
    let device = "sys/devices/pci0000:00/0000:00:14.0/usb1/1-5"
    sysfs.folder.file(device + "/port/physical_location/panel", "back\n")
    #expect(identity("video0")?.panel == nil)
  }
}
