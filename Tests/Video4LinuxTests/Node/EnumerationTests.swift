import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct EnumerationTests {
  private let range = FrameSizeRange(
    minimum: FrameSize(width: 16, height: 16), maximum: FrameSize(width: 4096, height: 2160),
    step: FrameSize(width: 16, height: 8))

  private func node(_ change: (inout FakeDevice) -> Void = { _ in }) throws -> (
    FakeKernel, VideoNode
  ) {
    var device = FakeDevice()
    change(&device)
    let kernel = FakeKernel(device)
    return (kernel, try VideoNode(path: "/dev/video0", kernel: kernel))
  }

  @Test func listsFormatsSizesAndIntervals() throws {
    let (_, node) = try node()

    let formats = try node.pixelFormats()

    #expect(formats.map(\.fourcc) == [.yuyv, .mjpg])
    #expect(formats.map(\.isCompressed) == [false, true])
    #expect(formats.map(\.description) == ["Fake", "Fake"])
    #expect(try node.frameSizes(of: .mjpg) == .vga)
    #expect(
      try node.frameIntervals(of: .mjpg, size: FrameSize(width: 640, height: 480)) == .usual)
  }

  @Test func tellsTheThreeKindsApart() throws {
    let shortest = try #require(FrameInterval(numerator: 1, denominator: 60))
    let longest = try #require(FrameInterval(numerator: 1, denominator: 1))
    let intervals: [FrameIntervals] = [
      .continuous(shortest...longest), .stepwise(shortest...longest, step: shortest),
    ]
    let sizes: [FrameSizes] = [
      .continuous(
        FrameSizeRange(
          minimum: range.minimum, maximum: range.maximum, step: FrameSize(width: 1, height: 1))),
      .stepwise(range),
    ]
    for (sizes, intervals) in zip(sizes, intervals) {
      let (_, node) = try node {
        $0.formats = [FakeDevice.Format(fourcc: .nv12, sizes: sizes, intervals: intervals)]
      }

      #expect(try node.frameSizes(of: .nv12) == sizes)
      #expect(try node.frameIntervals(of: .nv12, size: range.minimum) == intervals)
    }
  }

  @Test func endsEndlessLists() throws {
    let (kernel, node) = try node { $0.listsAreEndless = true }

    #expect(try node.pixelFormats().map(\.fourcc) == [.yuyv, .mjpg])
    #expect(try node.frameSizes(of: .yuyv) == .vga)
    #expect(try node.frameIntervals(of: .yuyv, size: FrameSize(width: 640, height: 480)) == .usual)
    #expect(try node.inputs().count == 64)
    #expect(kernel.callCount < 1000)
  }

  @Test func survivesARangeWithoutSteps() throws {
    let shortest = try #require(FrameInterval(numerator: 1, denominator: 60))
    let (_, node) = try node {
      $0.listsAreEndless = true
      $0.formats = [
        FakeDevice.Format(
          fourcc: .yuyv, sizes: .continuous(range),
          intervals: .stepwise(shortest...shortest, step: nil))
      ]
    }

    let one = FrameSize(width: 1, height: 1)
    #expect(
      try node.frameSizes(of: .yuyv)
        == .continuous(
          FrameSizeRange(minimum: range.minimum, maximum: range.maximum, step: one)))
    #expect(
      try node.frameIntervals(of: .yuyv, size: range.minimum)
        == .stepwise(shortest...shortest, step: nil))
  }

  @Test func leavesHolesOut() throws {
    let (_, node) = try node {
      $0.formats[0].sizes = .discrete([
        FrameSize(width: 0, height: 0), FrameSize(width: 640, height: 480),
        FrameSize(width: 640, height: 0), FrameSize(width: 320, height: 240),
      ])
    }
    #expect(try node.frameSizes(of: .yuyv) == .vga)
  }

  @Test(arguments: [Errno.notSupported, .invalidArgument, .brokenPipe, .inputOutput])
  func takesAListThatFailsForItsEnd(errno: Errno) throws {
    let kernel = FakeKernel(faults: [
      .every(.enumerateFormats, errno), .every(.enumerateFrameSizes, errno),
      .every(.enumerateFrameIntervals, errno),
    ])
    let node = try VideoNode(path: "/dev/video0", kernel: kernel)

    #expect(try node.pixelFormats() == [])
    #expect(try node.frameSizes(of: .yuyv) == .discrete([]))
    #expect(try node.frameIntervals(of: .yuyv, size: range.minimum) == .discrete([]))
  }

  @Test func saysThatTheDeviceWentMeanwhile() throws {
    let (kernel, node) = try node()
    kernel.vanish()

    #expect(code { _ = try node.pixelFormats() } == .disconnected)
    #expect(code { _ = try node.frameSizes(of: .yuyv) } == .disconnected)
    #expect(!node.isConnected)
  }
}
