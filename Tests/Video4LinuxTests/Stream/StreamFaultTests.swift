import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct StreamFaultTests {
  @Test func survivesSignalsInEveryCall() throws {
    let calls = FakeCall.allCases.filter { $0 != .close && $0 != .munmap }
    let kernel = FakeKernel(faults: calls.map { .times(3, $0, .interrupted) })
    let stream = try VideoStream(kernel)

    _ = try stream.start(.vga)
    for number in 0..<5 as Range<UInt32> { #expect(try stream.frame()?.sequence == number) }
    stream.close()

    expectNothingLeft(of: kernel)
  }

  @Test func doesNotWaitLongerForASignal() throws {
    var device = FakeDevice()
    device.frameCount = 0
    let kernel = FakeKernel(device, faults: [.times(5, .poll, .interrupted)])
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    let start = kernel.monotonicNanoseconds()

    #expect(try stream.nextFrame(timeoutMilliseconds: 100).kind == "timedOut")
    #expect(kernel.monotonicNanoseconds() == start + 100_000_000)
  }

  @Test(
    arguments: [
      (.setFormat, .busy, .inUse), (.requestBuffers, .busy, .inUse),
      (.requestBuffers, .noMemory, .outOfMemory), (.requestBuffers, .invalidArgument, .notACamera),
      (.queryBuffer, .invalidArgument, .streamingFailed), (.mmap, .noMemory, .outOfMemory),
      (.queueBuffer, .invalidArgument, .streamingFailed), (.streamOn, .noSpace, .usbBandwidth),
      (.streamOn, .inputOutput, .streamingFailed), (.streamOn, .busy, .inUse),
      (.streamOn, .protocolError, .streamingFailed), (.streamOn, .brokenPipe, .unsupportedFormat),
      (.setFormat, .invalidArgument, .unsupportedFormat), (.setFormat, .noDevice, .disconnected),
    ] as [(FakeCall, Errno, VideoNodeError.Code)])
  func undoesAStartThatFails(call: FakeCall, errno: Errno, expected: VideoNodeError.Code) throws {
    let kernel = FakeKernel(faults: [.once(call, errno)])
    let stream = try VideoStream(kernel)

    #expect(code { _ = try stream.start(.vga) } == expected)

    #expect(kernel.mappingCount == 0)
    #expect(kernel.bufferCount == 0)
    #expect(!kernel.isStreaming)
    _ = try stream.start(.vga)
    #expect(try stream.frame() != nil)
    #expect(kernel.violations == [])
  }

  @Test func undoesAStartThatFailsHalfway() throws {
    let kernel = FakeKernel(faults: [.once(.mmap, .noMemory, at: 2)])
    let stream = try VideoStream(kernel)
    #expect(code { _ = try stream.start(.vga) } == .outOfMemory)
    #expect(kernel.count(.munmap) == 2)
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func putsBackWhatTheDriverHasDropped() throws {
    var device = FakeDevice()
    device.frames = [FakeFrame(), FakeFrame(isDropped: true), FakeFrame(isDropped: true)]
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)

    let kinds = try (0..<12).map { _ in try stream.nextFrame(timeoutMilliseconds: 1000).kind }

    #expect(kinds == ["frame", "transient", "transient"] + Array(repeating: "frame", count: 9))
    #expect(stream.queuedCount == 4)
    #expect(kernel.queuedCount == 4)
    #expect(kernel.violations == [])
  }

  @Test func doesNotTakeALeaseBackAfterALostFrame() throws {
    var device = FakeDevice()
    device.frames = [FakeFrame(), FakeFrame(isDropped: true)]
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    let kept = try #require(try stream.frame())

    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "transient")

    #expect(kernel.queuedCount == 3)
    #expect(try stream.frame()?.bufferIndex != kept.bufferIndex)
    #expect(kernel.violations == [])
  }

  @Test func givesUpWhenEveryFrameIsLost() throws {
    let kernel = FakeKernel(faults: [.every(.dequeueBuffer, .inputOutput)])
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)

    var count = 0
    let error = error {
      while try stream.nextFrame(timeoutMilliseconds: 1000).kind == "transient" { count += 1 }
    }

    #expect(error?.code == .streamingFailed)
    #expect(count == 7)
  }

  @Test func givesUpAtOnceWhenTheQueueIsBroken() throws {
    var device = FakeDevice()
    device.pollErrorAtFrame = 2
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(.vga)
    _ = try stream.frame()
    _ = try stream.frame()
    #expect(code { _ = try stream.nextFrame(timeoutMilliseconds: 1000) } == .streamingFailed)
  }

  @Test func waitsAgainWhenThereIsNoFrameAfterAll() throws {
    let kernel = FakeKernel(faults: [.times(3, .dequeueBuffer, .again)])
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    #expect(try stream.frame()?.sequence == 0)
  }

  @Test func doesNotSpinOnADriverThatPromisesFrames() throws {
    var device = FakeDevice()
    device.promisesFrames = true
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    let before = kernel.callCount

    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "timedOut")
    #expect(kernel.callCount - before < 1000)
  }

  @Test(arguments: [Errno.brokenPipe])
  func saysThatTheStreamHasEnded(errno: Errno) throws {
    let stream = try VideoStream(FakeKernel(faults: [.once(.dequeueBuffer, errno)]))
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "ended")
  }

  @Test func takesALastEmptyFrameForTheEnd() throws {
    var device = FakeDevice()
    device.frames = [FakeFrame(isLast: true), FakeFrame(bytesUsed: 0, isLast: true)]
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "ended")
  }

  @Test(arguments: [
    Errno.invalidArgument, .inputOutput, .noDevice, .protocolError, .noSuchDeviceOrAddress,
  ])
  func findsOutThatTheDeviceIsGone(errno: Errno) throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    for (call, errno) in [
      (.dequeueBuffer, errno), (.queryCapability, .noDevice), (.queryBuffer, .noDevice),
    ] as [(FakeCall, Errno)] {
      kernel.add(.every(call, errno))
    }
    #expect(code { _ = try stream.nextFrame(timeoutMilliseconds: 1000) } == .disconnected)
  }

  @Test(arguments: [Errno.invalidArgument, .protocolError])
  func findsOutThatTheDeviceIsStillThere(errno: Errno) throws {
    let stream = try VideoStream(FakeKernel(faults: [.every(.dequeueBuffer, errno)]))
    _ = try stream.start(.vga)
    #expect(code { _ = try stream.nextFrame(timeoutMilliseconds: 1000) } == .streamingFailed)
  }

  @Test(arguments: [4, 64, .max] as [UInt32])
  func refusesABufferThatIsNone(index: UInt32) throws {
    var device = FakeDevice()
    device.frames = [FakeFrame(claimedIndex: index)]
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(.vga)
    #expect(code { _ = try stream.nextFrame(timeoutMilliseconds: 1000) } == .invalidAnswer)
  }

  @Test func refusesABufferThatSomebodyHas() throws {
    var device = FakeDevice()
    device.frames = [FakeFrame(), FakeFrame(claimedIndex: 0)]
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(.vga)
    let frame = try stream.frame()
    #expect(code { _ = try stream.nextFrame(timeoutMilliseconds: 1000) } == .invalidAnswer)
    #expect(frame != nil)
  }

  @Test func refusesBuffersWithoutMemory() throws {
    var device = FakeDevice()
    device.memoryLength = 0
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    #expect(code { _ = try stream.start(.vga) } == .invalidAnswer)
    #expect(kernel.bufferCount == 0)
  }

  @Test func keepsWithinBuffersThatAreTooSmallForTheFormat() throws {
    var device = FakeDevice()
    device.memoryLength = 4096
    device.frames = [FakeFrame(bytesUsed: 614_400)]
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(.vga)
    #expect(try stream.frame()?.byteCount(ofPlane: 0) == 4096)
  }
}
