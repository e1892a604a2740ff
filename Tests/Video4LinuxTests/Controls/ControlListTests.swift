import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct ControlListTests {
  private func node(_ controls: [FakeControl], _ change: (inout FakeDevice) -> Void = { _ in })
    throws -> VideoNode
  {
    var device = FakeDevice()
    device.controlModels = controls
    change(&device)
    return try VideoNode(path: "/dev/video0", kernel: FakeKernel(device))
  }

  @Test func listsWhatTheDriverDescribes() throws {
    let bits = FakeControl(
      id: 0x0098_f906, type: .bitmask, name: "Bitmask", maximum: 0x8000_2000, value: 0x8000_0000)
    let node = try node([.heading, .gain, .exposureMode, .exposureTime, bits])

    let controls = try node.controls()

    #expect(
      controls.map(\.name) == ["Gain", "Bitmask", "Auto Exposure", "Exposure Time, Absolute"])
    let exposure = try #require(controls.last)
    #expect(exposure.range == 1...10_000)
    #expect(exposure.defaultValue == 156)
    #expect(exposure.flags == 0x10)
    #expect(controls[1].range == 0...0x8000_2000)
    #expect(!controls.map(\.isScalar).contains(false))
    #expect(try node.describeControl(0x0098_0913) == controls[0])
    #expect(try node.describeControl(0x0098_0914) == nil)
  }

  @Test func goesOnBehindTheHolesOfAMenu() throws {
    let node = try node([
      FakeControl(
        id: 0x0098_0918, type: .menu, name: "Mode", maximum: 4,
        menu: [0: .name("Off"), 2: .name("On"), 4: .name("")]),
      FakeControl(
        id: 0x009a_0913, type: .integerMenu, name: "Bias", maximum: 2,
        menu: [0: .number(-1000), 2: .number(.max)]),
    ])

    let controls = try node.controls()

    #expect(
      controls[0].menu == [
        .init(index: 0, name: "Off"), .init(index: 2, name: "On"), .init(index: 4, name: ""),
      ])
    #expect(
      controls[1].menu == [.init(index: 0, number: -1000), .init(index: 2, number: .max)])
  }

  @Test func readsOddNames() throws {
    let node = try node([
      FakeControl(id: 0x0098_0900, name: ""), FakeControl(id: 0x0098_0901, name: " Gain\n2\t "),
      FakeControl(id: 0x0098_0902, name: String(repeating: "é", count: 40)),
    ])
    #expect(
      try node.controls().map(\.name) == ["", "Gain 2", String(repeating: "é", count: 16)])
  }

  @Test(arguments: [Errno.brokenPipe, .inputOutput, .timedOut, .protocolError])
  func leavesOutWhatTheFirmwareDoesNotDescribe(errno: Errno) throws {
    var broken = FakeControl.exposureMode
    broken.queryErrno = errno
    var alsoBroken = FakeControl.gain
    alsoBroken.queryErrno = errno
    let node = try node([alsoBroken, FakeControl(id: 0x0098_0914), broken, .exposureTime])

    #expect(try node.controls().map(\.identifier) == [0x0098_0914, 0x009a_0902])
    #expect(code { _ = try node.describeControl(broken.id) } == .controlFailed)
  }

  @Test func asksOlderKernelsInTheirOwnWords() throws {
    let bits = FakeControl(id: 0x0098_f906, type: .bitmask, maximum: 0x8000_2000)
    let controls = [.gain, bits, FakeControl.exposureMode]
    let new = try node(controls).controls()
    let old = try node(controls) { $0.knowsExtendedQuery = false }.controls()
    #expect(new == old)

    // Without a list each standard number is asked for; a driver's own cannot be guessed.
    let oldest = try node(controls) { $0.knowsNextControl = false }.controls()
    #expect(oldest.map(\.identifier) == [0x0098_0913, 0x009a_0901])
  }

  @Test func endsEndlessLists() throws {
    let endless = try node([.gain]) { $0.controlListIsEndless = true }.controls()
    #expect(endless.count == 1024)
    let standing = try node([.gain]) { $0.controlListStandsStill = true }.controls()
    #expect(standing.count == 1)
    let menu = FakeControl(
      id: 1, type: .menu, maximum: .max, menu: [0: .name("Only"), 600: .name("Too far")])
    #expect(try node([menu]).controls()[0].menu.count == 1)
  }

  @Test func believesNothingImpossible() throws {
    let node = try node([
      FakeControl(id: 0x0098_0900, minimum: 9, maximum: -9, step: 0),
      FakeControl(id: 0x0098_0901, type: .menu, minimum: -4, maximum: -1),
      FakeControl(id: 0x0098_0902, type: ControlType(rawValue: 0x0277)),
      FakeControl(id: 0x0098_0903, step: .max, dimensions: 2),
    ])
    let controls = try node.controls()
    #expect(controls[0].range == -9...9)
    #expect(controls[0].step == 1)
    #expect(controls[1].menu == [])
    #expect(controls.map(\.isScalar) == [true, true, false, false])
    #expect(controls[3].step == .max)
  }

  @Test func findsNoneWhereTheDriverHasNone() throws {
    #expect(try node([]).controls() == [])
  }

  @Test func saysThatTheDeviceIsGone() throws {
    var device = FakeDevice()
    device.controlModels = [.gain, .exposureMode]
    let kernel = FakeKernel(device)
    let node = try VideoNode(path: "/dev/video0", kernel: kernel)
    kernel.vanish()
    #expect(code { _ = try node.controls() } == .disconnected)
    #expect(code { _ = try node.describeControl(1) } == .disconnected)
  }

  @Test func survivesSignals() throws {
    var device = FakeDevice()
    device.controlModels = [.gain, .exposureMode]
    let kernel = FakeKernel(
      device,
      faults: [
        .times(3, .queryExtendedControl, .interrupted), .once(.queryMenu, .interrupted),
        .times(2, .getExtendedControls, .interrupted),
      ])
    let node = try VideoNode(path: "/dev/video0", kernel: kernel)
    let controls = try node.controls()
    #expect(controls.count == 2)
    #expect(try node.values(of: controls).count == 2)
  }
}
