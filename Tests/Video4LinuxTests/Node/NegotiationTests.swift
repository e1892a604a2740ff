import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct NegotiationTests {
  private let vga = FrameSize(width: 640, height: 480)

  private func node(_ device: FakeDevice, faults: [FakeFault] = []) throws -> VideoNode {
    try VideoNode(path: "/dev/video0", kernel: FakeKernel(device, faults: faults))
  }

  @Test func readsBackWhatTheDriverHasMadeOfIt() throws {
    var device = FakeDevice()
    device.rowPadding = 64
    let node = try node(device)

    let format = try node.setFormat(.yuyv, size: FrameSize(width: 2048, height: 1536))

    #expect(format.size == vga)
    #expect(format.fourcc == .yuyv)
    #expect(format.planes == [.init(bytesPerLine: 1344, byteCount: 645_120)])
    #expect(format.colorspace == .srgb)
    #expect(try node.currentFormat() == format)
  }

  @Test func readsTheLayoutOfEachPlane() throws {
    let format = try node(.multiplanar).setFormat(.nm12, size: vga)

    #expect(
      format.planes == [
        .init(bytesPerLine: 640, byteCount: 307_200), .init(bytesPerLine: 640, byteCount: 153_600),
      ])
  }

  @Test func triesAFormatWithoutSettingIt() throws {
    let node = try node(FakeDevice())
    let before = try node.currentFormat()

    #expect(try node.tryFormat(.mjpg, size: FrameSize(width: 1, height: 1))?.size.width == 320)
    #expect(try node.currentFormat() == before)
  }

  @Test func takesNoOtherPixelFormatThanTheOneWished() throws {
    let error = error { _ = try node(FakeDevice()).setFormat(.grey, size: vga) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.description.contains("GREY") == true)
    #expect(error?.description.contains("YUYV") == true)
  }

  @Test func takesJPEGForMJPG() throws {
    var device = FakeDevice()
    device.settles = { _, size in (.jpeg, size) }
    #expect(try node(device).setFormat(.mjpg, size: vga).fourcc == .jpeg)
  }

  @Test(arguments: [(0, 480), (640, 0), (70_000, 480), (.max, .max)] as [(UInt32, UInt32)])
  func refusesAnImpossibleSize(width: UInt32, height: UInt32) throws {
    var device = FakeDevice()
    device.settles = { fourcc, _ in (fourcc, FrameSize(width: width, height: height)) }
    let node = try node(device)
    #expect(code { _ = try node.setFormat(.yuyv, size: vga) } == .invalidAnswer)
  }

  @Test func refusesAnImpossibleNumberOfPlanes() throws {
    var device = FakeDevice.multiplanar
    device.formats[0].planes = []
    let node = try node(device)
    #expect(code { _ = try node.setFormat(.nm12, size: vga) } == .invalidAnswer)
  }

  @Test(
    arguments: [(1, 100, 1, 30), (1, 10, 1, 10), (1, 1, 2, 15)]
      as [(UInt32, UInt32, UInt32, UInt32)])
  func readsBackTheFrameInterval(a: UInt32, b: UInt32, c: UInt32, d: UInt32) throws {
    let node = try node(FakeDevice())
    let wish = try #require(FrameInterval(numerator: a, denominator: b))

    #expect(try node.setFrameInterval(wish) == FrameInterval(numerator: c, denominator: d))
    #expect(try node.frameInterval() == FrameInterval(numerator: c, denominator: d))
  }

  @Test func goesWithoutAFrameInterval() throws {
    var device = FakeDevice()
    device.hasFrameIntervals = false
    let wish = try #require(FrameInterval(numerator: 1, denominator: 30))

    #expect(try node(device).setFrameInterval(wish) == nil)
  }

  @Test(arguments: [Errno.notSupported, .invalidArgument, .brokenPipe])
  func goesWithoutFrameIntervalRequests(errno: Errno) throws {
    let node = try node(
      FakeDevice(), faults: [.every(.getParameters, errno), .every(.setParameters, errno)])
    let wish = try #require(FrameInterval(numerator: 1, denominator: 30))

    #expect(try node.frameInterval() == nil)
    #expect(try node.setFrameInterval(wish) == nil)
  }

  @Test func readsWhereTheCameraLooks() throws {
    var device = FakeDevice()
    device.controls = [0x009a_0922: 1, 0x009a_0923: 90]
    let node = try node(device)
    #expect(node.orientation == .back)
    #expect(node.sensorRotation == 90)
  }

  @Test func believesNoImpossibleMounting() throws {
    var device = FakeDevice()
    device.controls = [0x009a_0922: 7, 0x009a_0923: 720]
    let node = try node(device)
    #expect(node.orientation == nil)
    #expect(node.sensorRotation == nil)
  }

  @Test(arguments: [Errno.brokenPipe, .inputOutput, .accessDenied, .notSupported])
  func goesOnWithoutAControlThatFails(errno: Errno) throws {
    var device = FakeDevice()
    device.controls = [0x009a_0922: 1]
    #expect(try node(device, faults: [.every(.getControl, errno)]).orientation == nil)
  }

  @Test(arguments: [Field.alternate, .topThenBottom, .bottomThenTop])
  func asksForWholePicturesWhereADriverSendsLinesApart(field: Field) throws {
    var device = FakeDevice()
    device.field = { $0 == .interlaced ? .interlaced : field }
    let format = try node(device).setFormat(.yuyv, size: FrameSize(width: 640, height: 480))
    #expect(format.field == .interlaced)
  }

  @Test(arguments: [Field.alternate, .topThenBottom, .bottomThenTop])
  func refusesPicturesWhoseLinesStayApart(field: Field) throws {
    var device = FakeDevice()
    device.field = { _ in field }
    let node = try node(device)
    let error = #expect(throws: VideoNodeError.self) {
      try node.setFormat(.yuyv, size: FrameSize(width: 640, height: 480))
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.description.contains("interlaced") == true)
  }

  @Test(arguments: [Field.none, .interlaced, .top, .bottom])
  func takesPicturesThatAreWhole(field: Field) throws {
    var device = FakeDevice()
    device.field = { _ in field }
    let format = try node(device).setFormat(.yuyv, size: FrameSize(width: 640, height: 480))
    #expect(format.field == field)
  }

  @Test func saysWhichInputIsSilent() throws {
    var device = FakeDevice()
    device.inputs = [.init(name: "Tuner"), .init(name: "HDMI 1", status: 0x2)]
    device.inputIndex = 1
    let node = try node(device)

    #expect(try node.inputs().map(\.hasNoSignal) == [false, true])
    #expect(try node.selectedInput()?.name == "HDMI 1")
  }

  @Test func goesWithoutInputs() throws {
    var device = FakeDevice()
    device.inputs = []
    let node = try node(device)
    #expect(try node.inputs() == [])
    #expect(try node.selectedInput() == nil)
  }
}
