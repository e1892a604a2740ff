import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct ControlValueTests {
  private let brightness = FakeControl(id: 0x0098_0900, name: "Brightness", minimum: -9, value: -5)
  private let large = FakeControl(
    id: 0x0098_f903, type: .integer64, name: "Large", minimum: .min, maximum: .max, value: .min)
  private let label = FakeControl(
    id: 0x0098_f905, type: .string, name: "Label", minimum: 2, maximum: 4, text: "abc")
  private let bits = FakeControl(
    id: 0x0098_f906, type: .bitmask, name: "Bits", maximum: 0x8000_2000, value: 0x8000_0000)

  private func rig(
    _ controls: [FakeControl], _ faults: [FakeFault] = [],
    _ change: (inout FakeDevice) -> Void = { _ in }
  ) throws -> (kernel: FakeKernel, node: VideoNode) {
    var device = FakeDevice()
    device.controlModels = controls
    change(&device)
    let kernel = FakeKernel(device, faults: faults)
    return (kernel, try VideoNode(path: "/dev/video0", kernel: kernel))
  }

  private func values(_ node: VideoNode) throws -> [UInt32: ControlValue] {
    try node.values(of: node.controls()).compactMapValues { try? $0.get() }
  }

  private func set(_ node: VideoNode, _ settings: [(UInt32, ControlValue)]) throws {
    try node.setControls(
      settings.map { id, value in (try #require(try node.describeControl(id)), value) })
  }

  @Test func readsEveryKind() throws {
    let (kernel, node) = try rig([brightness, large, label, bits, .exposureMode])
    #expect(
      try values(node) == [
        brightness.id: .number(-5), large.id: .number(.min), label.id: .text("abc"),
        bits.id: .number(0x8000_0000), 0x009a_0901: .number(3),
      ])
    // All numbers at once, and the text.
    #expect(kernel.count(.getExtendedControls) == 2)
  }

  @Test func readsThroughTheOlderRequest() throws {
    let (kernel, node) = try rig([brightness, bits, large]) { $0.knowsExtendedValues = false }
    #expect(try values(node) == [brightness.id: .number(-5), bits.id: .number(0x8000_0000)])
    try set(node, [(brightness.id, .number(-6))])
    #expect(kernel.device()?.controlModels[0].value == -6)
  }

  @Test(arguments: [Errno.brokenPipe, .inputOutput, .timedOut])
  func readsTheOthersWhereOneFails(errno: Errno) throws {
    var broken = FakeControl.gain
    broken.readErrno = errno
    let (_, node) = try rig([brightness, broken, .exposureMode])

    let results = try node.values(of: node.controls())

    #expect(try results[brightness.id]?.get() == .number(-5))
    #expect(try results[0x009a_0901]?.get() == .number(3))
    let failure = error { _ = try results[broken.id]?.get() }
    #expect(failure?.code == .controlFailed)
    #expect(failure?.description.contains("“Gain” of /dev/video0") == true)
  }

  @Test func setsManyAtOnceInOrder() throws {
    let many = (0..<100).map { FakeControl(id: 0x0098_0900 + UInt32($0)) }
    let (kernel, node) = try rig(many)
    try set(node, many.reversed().map { ($0.id, .number(7)) })
    #expect(kernel.count(.setExtendedControls) == 2)
    #expect(kernel.device()?.controlWrites.map(\.id) == many.reversed().map(\.id))
    #expect(try node.values(of: node.controls()).count == 100)
  }

  @Test func setsEveryKind() throws {
    let button = FakeControl(id: 0x009a_091c, type: .button, name: "Focus")
    let (kernel, node) = try rig([brightness, large, label, bits, button])
    try set(
      node,
      [
        (bits.id, .number(0x8000_2000)), (label.id, .text("wxyz")), (large.id, .number(.max)),
        (button.id, .number(0)), (brightness.id, .number(-9)),
      ])
    let models = try #require(kernel.device()?.controlModels)
    #expect(models[0].value == -9)
    #expect(models[1].value == .max)
    #expect(models[2].text == "wxyz")
    #expect(models[3].value == 0x8000_2000)
    #expect(kernel.device()?.controlWrites.map(\.id).contains(button.id) == true)
    #expect(code { try set(node, [(label.id, .text("toolong"))]) } == .invalidControlValue)
  }

  /// What the camera refuses, at which place, and what is said.
  @Test(
    arguments: [
      (13, .controlNotWritable), (16, .controlNotWritable), (34, .invalidControlValue),
      (84, .invalidControlValue), (22, .invalidControlValue), (32, .controlFailed),
      (5, .controlFailed), (110, .controlFailed), (19, .disconnected),
    ] as [(Int32, VideoNodeError.Code)], [0, 1, 2])
  func namesTheControlThatRefuses(failure: (errno: Int32, code: VideoNodeError.Code), place: Int)
    throws
  {
    var controls = [brightness, FakeControl.gain, FakeControl(id: 0x009a_0903, name: "Priority")]
    controls[place].writeErrno = Errno(rawValue: failure.errno)
    let (kernel, node) = try rig(controls)

    let error = error { try set(node, controls.map { ($0.id, .number(1)) }) }

    #expect(error?.code == failure.code)
    if failure.code != .disconnected {
      #expect(error?.description.contains("“\(controls[place].name)”") == true)
    }
    #expect(kernel.device()?.controlWrites.map(\.id) == controls[..<place].map(\.id))
  }

  @Test func findsOutWhichOfSeveralIsNotValid() throws {
    let (kernel, node) = try rig([brightness, .gain])
    let error = error {
      try set(node, [(brightness.id, .number(1)), (0x0098_0913, .number(500))])
    }
    #expect(error?.code == .invalidControlValue)
    #expect(error?.description.contains("“Gain”") == true)
    #expect(kernel.count(.tryExtendedControls) == 1)
    #expect(kernel.device()?.controlWrites.isEmpty == true)
  }

  @Test(arguments: [Errno.invalidArgument, .notSupported])
  func setsOneByOneWhereADriverTakesNoneTogether(errno: Errno) throws {
    let (kernel, node) = try rig(
      [brightness, .gain],
      [.once(.setExtendedControls, errno), .once(.tryExtendedControls, errno)])
    try set(node, [(brightness.id, .number(1)), (0x0098_0913, .number(2))])
    #expect(kernel.device()?.controlWrites.map(\.value) == [1, 2])
  }

  @Test func readsTheLongestExposureAnewWithEachFrameInterval() throws {
    var exposure = FakeControl.exposureTime
    exposure.followsFrameInterval = true
    let (_, node) = try rig([exposure])
    #expect(try node.describeControl(exposure.id)?.range == 1...333)

    let slow = try #require(FrameInterval(numerator: 2, denominator: 15))
    _ = try node.setFrameInterval(slow)

    #expect(try node.describeControl(exposure.id)?.range == 1...1333)
  }
}
