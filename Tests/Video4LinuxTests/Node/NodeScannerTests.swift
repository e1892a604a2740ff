import Glibc
import LinuxSystem
import TestSupport
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct NodeScannerTests {
  private let sysfs: FakeSysfs

  init() throws { sysfs = try FakeSysfs() }

  private func path(_ node: Int) -> String { "\(sysfs.roots.dev)/video\(node)" }

  private func scanner(
    _ devices: [Int: FakeDevice], faults: [FakeFault] = []
  ) -> (kernel: FakeKernel, scanner: NodeScanner) {
    let pairs = devices.map { (path($0.key), $0.value) }
    let kernel = FakeKernel(Dictionary(uniqueKeysWithValues: pairs), faults: faults)
    return (kernel, NodeScanner(kernel: kernel, roots: sysfs.roots))
  }

  private func device(_ flags: Capability.Flags) -> FakeDevice {
    var device = FakeDevice()
    device.flags = flags
    return device
  }

  private let metadata: Capability.Flags = [.metadataCapture, .streaming]

  @Test func findsCamerasByWhatTheyCanDo() throws {
    sysfs.addUSB(port: "1-1", nodes: [0, 1], serial: "A")
    sysfs.addUSB(port: "1-2", nodes: [2, 10], serial: "B")
    let (kernel, scanner) = scanner([
      // A metadata node may well be the first.
      0: device(metadata), 1: FakeDevice(), 2: .multiplanar,
      10: device([.videoOutput, .streaming]),
    ])

    let cameras = try scanner.cameras()

    #expect(cameras.map(\.path) == [path(1), path(2)])
    #expect(cameras.map(\.stableID) == ["usb-046d:0825-A#0.1", "usb-046d:0825-B"])
    #expect(cameras.map(\.name) == ["Fake Camera", "Fake Camera"])
    #expect(cameras.map(\.driver) == ["fakevideo", "fakevideo"])
    #expect(cameras[0].formats.map(\.fourcc) == [.yuyv, .mjpg])
    #expect(cameras[0].isAccessible)
    #expect(kernel.openCount == 0)
    #expect(kernel.violations == [])
  }

  @Test func saysWhyTheOthersAreNone() throws {
    sysfs.add("platform/codec", bus: "platform", nodes: [10, 11, 12])
    var empty = FakeDevice()
    empty.formats = []
    let (_, scanner) = scanner([
      10: device([.memoryToMemory, .streaming]), 11: empty,
      12: device([.videoCapture, .streaming, .mediaController]),
    ])

    let nodes = try scanner.nodes()

    #expect(nodes.map(\.isListed) == [false, false, false])
    #expect(nodes[0].objection?.contains("converts") == true)
    #expect(nodes[1].objection?.contains("no pictures") == true)
    #expect(nodes[2].objection?.contains("libcamera") == true)
  }

  @Test func keepsALockedCameraAsACandidate() throws {
    sysfs.addUSB(port: "1-1", nodes: [0, 1], serial: "A")
    let (_, scanner) = scanner(
      [0: FakeDevice(), 1: device(metadata)], faults: [.every(.open, .accessDenied)])

    let cameras = try scanner.cameras()

    #expect(cameras.map(\.path) == [path(0)])
    #expect(cameras[0].isAccessible == false)
    #expect(cameras[0].name == "Lab Camera: Lab Camera")
    #expect(cameras[0].stableID == "usb-046d:0825-A")
  }

  @Test func keepsACameraThatSomebodyHasForHimself() throws {
    sysfs.addUSB(port: "1-1", nodes: [0])
    let (_, scanner) = scanner([0: FakeDevice()], faults: [.every(.open, .busy)])
    #expect(try scanner.cameras().map(\.isAccessible) == [true])
  }

  @Test func leavesOutWhatVanishes() throws {
    sysfs.addUSB(port: "1-1", nodes: [0])
    sysfs.addUSB(port: "1-2", nodes: [1])
    let (_, scanner) = scanner([1: FakeDevice()])
    #expect(try scanner.cameras().map(\.path) == [path(1)])
  }

  @Test func doesNotTakeExhaustionForAbsence() {
    sysfs.addUSB(port: "1-1", nodes: [0])
    let (_, scanner) = scanner([0: FakeDevice()], faults: [.every(.open, .tooManyOpenFiles)])
    #expect(code { _ = try scanner.cameras() } == .tooManyOpenFiles)
  }

  @Test func tellsTwinsApart() throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "SN0001")
    sysfs.addUSB(port: "1-2", nodes: [2], serial: "SN0001")
    let (_, scanner) = scanner([0: FakeDevice(), 2: FakeDevice()])
    #expect(
      try scanner.cameras().map(\.stableID)
        == ["usb-046d:0825-SN0001@1-1", "usb-046d:0825-SN0001@1-2"])
  }

  @Test func findsNoneWithoutAny() throws {
    #expect(try scanner([:]).scanner.nodes() == [])
    let nowhere = DeviceRoots(dev: "/none", sys: "/none", proc: "/none")
    #expect(try NodeScanner(kernel: FakeKernel(), roots: nowhere).nodes() == [])
  }

  @Test func carriesWhatTheKernelSaysOfTheMounting() throws {
    sysfs.add("platform/isp", bus: "platform", nodes: [0])
    var phone = FakeDevice()
    phone.controls = [0x009a_0922: 0, 0x009a_0923: 270]
    let (_, scanner) = scanner([0: phone])
    let camera = try scanner.cameras().first
    #expect(camera?.orientation == .front)
    #expect(camera?.sensorRotation == 270)
  }

  @Test func looksAtANodeByItsPath() throws {
    sysfs.addUSB(port: "1-1", nodes: [0, 1], serial: "A")
    let (_, scanner) = scanner([0: FakeDevice(), 1: device(metadata)])

    let camera = try scanner.camera(at: path(0))

    #expect(try [camera] == scanner.cameras())
    #expect(code { _ = try scanner.camera(at: path(1)) } == .notACamera)
    #expect(code { _ = try scanner.camera(at: path(2)) } == .noDevice)
  }

  @Test func opensNoOtherCamerasNode() throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "A")
    let (kernel, scanner) = scanner([0: FakeDevice()])

    #expect(throws: Never.self) { _ = try scanner.open(path(0), of: "usb-046d:0825-A") }
    #expect(throws: Never.self) { _ = try scanner.open(path(0), of: "usb-046d:0825-A@1-2") }
    #expect(code { _ = try scanner.open(path(0), of: "usb-046d:0825-B") } == .disconnected)
    #expect(kernel.openCount == 0)
  }

  @Test func opensANodeThatNothingElseKnows() throws {
    let scanner = NodeScanner(
      kernel: FakeKernel(["/dev/fakevideo": FakeDevice()]), roots: sysfs.roots)

    let node = try scanner.open("/dev/fakevideo", of: "path-/dev/fakevideo")

    #expect(node.path == "/dev/fakevideo")
  }

  @Test func looksAtANodeThatNothingElseKnows() throws {
    var device = FakeDevice()
    device.busInfo = "platform:fake"
    let kernel = FakeKernel(["/dev/fakevideo": device])
    let camera = try NodeScanner(kernel: kernel, roots: sysfs.roots).camera(at: "/dev/fakevideo")

    #expect(camera.stableID == "path-/dev/fakevideo")
    #expect(camera.name == "Fake Camera")
    #expect(camera.bus == .platform)
    #expect(camera.isListed)
    #expect(camera.identity.index == nil)
  }

  @Test func saysThatANodeIsLocked() {
    let (_, scanner) = scanner([0: FakeDevice()], faults: [.every(.open, .accessDenied)])
    #expect(code { _ = try scanner.camera(at: path(0)) } == .notPermitted)
  }

  @Test func tellsOneStayFromAnother() throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "A")
    let (_, scanner) = scanner([0: FakeDevice()])
    let first = try #require(try scanner.cameras().first?.connectionID)
    #expect(try scanner.cameras().first?.connectionID == first)

    // Kept, so that what is made next has another number.
    rename(sysfs.folder.path("sys/devices"), sysfs.folder.path("sys/gone"))
    unlink(sysfs.folder.path("sys/class/video4linux/video0"))
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "A")

    #expect(try scanner.cameras().first?.connectionID != first)
  }

  @Test func prefersTheDriversWordOfTheSideToTheFirmwares() throws {
    sysfs.add("platform/isp", bus: "platform", nodes: [0])
    sysfs.folder.file("sys/devices/platform/isp/physical_location/panel", "front\n")
    var back = FakeDevice()
    back.controls = [0x009a_0922: 1]
    #expect(try scanner([0: FakeDevice()]).scanner.cameras().first?.orientation == .front)
    #expect(try scanner([0: back]).scanner.cameras().first?.orientation == .back)
  }
}
