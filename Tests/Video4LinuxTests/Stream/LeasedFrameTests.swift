import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct LeasedFrameTests {
  /// A stream whose first frame is as the script says.
  private func stream(
    _ frames: FakeFrame..., change: (inout FakeDevice) -> Void = { _ in }
  ) throws -> (kernel: FakeKernel, stream: VideoStream) {
    var device = FakeDevice()
    device.frames = frames
    change(&device)
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    return (kernel, stream)
  }

  @Test func goesBackToTheDriverOnce() throws {
    let (kernel, stream) = try stream()
    var frame = try stream.frame()
    let other = frame
    #expect(kernel.queuedCount == 3)

    frame = nil
    #expect(kernel.queuedCount == 3)
    #expect(other != nil)
    _ = consume other

    #expect(kernel.queuedCount == 4)
    #expect(kernel.count(.queueBuffer) == 5)
    #expect(kernel.violations == [])
  }

  @Test func goesBackFromAnyThread() async throws {
    let (kernel, stream) = try stream()
    for _ in 0..<50 {
      let frames = try (0..<4).map { _ in try #require(try stream.frame()) }
      await withTaskGroup(of: Void.self) { group in
        for frame in frames { group.addTask { _ = frame.sequence } }
      }
    }
    #expect(try stream.frame() != nil)
    #expect(kernel.violations == [])
  }

  @Test(arguments: [true, false])
  func staysReadableAfterTheStreamHasEnded(orphansBuffers: Bool) throws {
    var (kernel, stream): (FakeKernel, VideoStream?) = try stream {
      $0.orphansBuffers = orphansBuffers
    }
    var frame = try stream?.frame()

    stream?.close()
    stream = nil

    #expect(frame?.withBytes { $0.unsafeLoad(as: UInt32.self) } == 0)
    #expect(frame?.byteCount(ofPlane: 0) == 614_400)
    #expect(kernel.mappingCount == 1)
    let queueCount = kernel.count(.queueBuffer)
    frame = nil
    #expect(kernel.count(.queueBuffer) == queueCount)
    expectNothingLeft(of: kernel)
  }

  @Test func isNotGivenToALaterStream() throws {
    let (kernel, stream) = try stream()
    var old = try stream.frame()
    stream.stop()
    _ = try stream.start(.vga)
    let new = try #require(try stream.frame())
    #expect(new.bufferIndex == old?.bufferIndex)

    old = nil

    #expect(stream.queuedCount == 3)
    #expect(kernel.queuedCount == 3)
    #expect(kernel.violations == [])
  }

  @Test func letsADriverThatKeepsItsMemoryBeOpenedAnew() throws {
    let (kernel, stream) = try stream { $0.orphansBuffers = false }
    var frame = try stream.frame()
    stream.stop()
    #expect(kernel.openCount == 0)
    #expect(code { _ = try stream.start(.vga) } == .inUse)

    #expect(frame != nil)
    frame = nil
    _ = try stream.start(.vga)

    #expect(try stream.frame() != nil)
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func staysReadableAfterTheDeviceIsGone() throws {
    let (kernel, stream) = try stream()
    let frame = try #require(try stream.frame())
    kernel.vanish()
    stream.close()
    #expect(frame.withBytes { $0.unsafeLoad(as: UInt32.self) } == 0)
  }

  @Test(
    arguments: [
      (0, 0, 0, false), (307_200, 0, 307_200, false), (614_400, 0, 614_400, false),
      (614_401, 0, 614_400, true), (.max, 0, 614_400, true), (1000, 400, 600, false),
      (1000, 1000, 0, false), (1000, 2000, 0, false), (.max, .max, 0, true),
    ] as [(UInt32, UInt32, Int, Bool)])
  func keepsWithinTheMemoryThatThereIs(
    bytesUsed: UInt32, dataOffset: UInt32, count: Int, isClamped: Bool
  ) throws {
    var device = FakeDevice.multiplanar
    device.formats[0].fourcc = .yuyv
    device.formats[0].planes = [16]
    device.frames = [FakeFrame(bytesUsed: bytesUsed, dataOffset: dataOffset)]
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(.vga)

    let frame = try #require(try stream.frame())

    #expect(frame.byteCount(ofPlane: 0) == count)
    #expect(frame.withBytes { $0.byteCount } == count)
    #expect(frame.unsafeBytes().count == count)
    #expect(frame.isClamped == isClamped)
  }

  @Test func beginsWhereTheDriverSays() throws {
    var device = FakeDevice.multiplanar
    device.frames = [FakeFrame(), FakeFrame(dataOffset: 64)]
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(
      StreamRequest(fourcc: .nm12, size: FrameSize(width: 640, height: 480)))
    _ = try stream.frame()
    #expect(try stream.frame()?.withBytes { $0.unsafeLoad(as: UInt32.self) } == 1)
  }

  @Test func saysThatItIsDamagedAndGoesOn() throws {
    let (kernel, stream) = try stream(
      FakeFrame(hasError: true), FakeFrame(bytesUsed: 0), FakeFrame(bytesUsed: 0, hasError: true),
      FakeFrame(bytesUsed: 100))
    let frames = try (0..<20).map { _ in
      let frame = try #require(try stream.frame())
      return (frame.hasError, frame.byteCount(ofPlane: 0))
    }

    #expect(frames.map(\.0).prefix(5) == [true, false, true, false, false])
    #expect(frames.map(\.1).prefix(5) == [614_400, 0, 0, 100, 614_400])
    #expect(kernel.queuedCount == 4)
  }

  @Test func showsLostAndRepeatedFrames() throws {
    let (_, stream) = try stream(
      FakeFrame(), FakeFrame(sequenceGap: 3), FakeFrame(repeatsLast: true), FakeFrame())
    let frames = try (0..<4).map { _ in
      let frame = try #require(try stream.frame())
      return (frame.sequence, frame.timestamp.nanoseconds)
    }
    #expect(frames.map(\.0) == [0, 4, 4, 5])
    #expect(frames[1].1 == frames[2].1 && frames[0].1 != frames[1].1)
  }

  @Test(arguments: [FakeFrame(stamp: (0, 0)), FakeFrame(stamp: (-1, 0))])
  func knowsItsArrivalWhereTheStampIsNoTime(script: FakeFrame) throws {
    let (kernel, stream) = try stream(script)
    let frame = try #require(try stream.frame())
    #expect(frame.timestamp.nanoseconds == nil)
    #expect(frame.dequeuedAt == kernel.monotonicNanoseconds())
  }

  @Test(
    arguments: [(0, .unknown), (0x4000, .copy), (0x2000, .monotonic)]
      as [(UInt32, BufferTimestamp.Clock)])
  func saysWhichClockTheStampIsOf(flags: UInt32, clock: BufferTimestamp.Clock) throws {
    let (_, stream) = try stream(FakeFrame(clockFlags: flags))
    #expect(try stream.frame()?.timestamp.clock == clock)
  }

  @Test func tellsExposureFromEndOfFrame() throws {
    let (_, stream) = try stream(FakeFrame(clockFlags: 0x1_2000), FakeFrame())
    #expect(try stream.frame()?.timestamp.source == .startOfExposure)
    #expect(try stream.frame()?.timestamp.source == .endOfFrame)
  }

  @Test func comesBackWhenTheDriverRefusesItAtFirst() throws {
    let (kernel, stream) = try stream()
    kernel.add(.times(3, .queueBuffer, .invalidArgument, at: 4))

    for number in 0..<20 as Range<UInt32> {
      #expect(try stream.frame()?.sequence == number)
    }

    #expect(stream.queuedCount == 4)
    #expect(kernel.queuedCount == 4)
  }
}
