import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct VideoStreamTests {
  @Test func deliversEachFrameInOrder() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)

    let settings = try stream.start(.vga)
    var sequences: [UInt32] = []
    for _ in 0..<10 {
      let frame = try #require(try stream.frame())
      let number = frame.withBytes { $0.unsafeLoad(as: UInt32.self) }
      #expect(number == frame.sequence)
      #expect(frame.byteCount(ofPlane: 0) == 614_400)
      #expect(frame.timestamp.clock == .monotonic)
      sequences.append(frame.sequence)
    }

    #expect(settings.format.size == FrameSize(width: 640, height: 480))
    #expect(settings.interval == FrameInterval(numerator: 1, denominator: 30))
    #expect(settings.bufferCount == 4)
    #expect(sequences == Array(0..<10))
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func makesThreeSystemCallsPerFrame() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    _ = try stream.frame()
    let before = kernel.callCount

    for _ in 0..<100 { _ = try stream.frame() }

    #expect(kernel.callCount - before == 300)
    #expect(kernel.log.suffix(3) == [.poll, .dequeueBuffer, .queueBuffer])
  }

  @Test(arguments: [(4, 3), (4, 1), (4, 6), (1, 1), (0, 2), (100, 32)] as [(Int, UInt32)])
  func usesAsManyBuffersAsAreGranted(asked: Int, granted: UInt32) throws {
    var device = FakeDevice()
    device.grantedCount = { _ in granted }
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    var request = StreamRequest.vga
    request.bufferCount = asked

    #expect(try stream.start(request).bufferCount == Int(granted))
    for number in 0..<10 as Range<UInt32> {
      #expect(try stream.frame()?.sequence == number)
    }
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func refusesADriverThatGrantsNone() throws {
    var device = FakeDevice()
    device.grantedCount = { _ in 0 }
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)

    #expect(code { _ = try stream.start(.vga) } == .invalidAnswer)
    #expect(kernel.mappingCount == 0)
  }

  @Test func streamsPlanesInMemoryOfTheirOwn() throws {
    let kernel = FakeKernel(.multiplanar)
    let stream = try VideoStream(kernel)
    let request = StreamRequest(fourcc: .nm12, size: FrameSize(width: 640, height: 480))

    #expect(try stream.start(request).format.planes.count == 2)
    for number in 0..<6 as Range<UInt32> {
      let frame = try #require(try stream.frame())
      #expect(frame.planeCount == 2)
      #expect(frame.byteCount(ofPlane: 0) == 307_200)
      #expect(frame.byteCount(ofPlane: 1) == 153_600)
      #expect(frame.byteCount(ofPlane: 2) == 0)
      #expect(frame.withBytes(ofPlane: 1) { $0.unsafeLoad(as: UInt32.self) } == number)
      #expect(frame.withBytes(ofPlane: 2) { $0.byteCount } == 0)
    }
    stream.close()
    #expect(kernel.count(.mmap) == 8)
    expectNothingLeft(of: kernel)
  }

  @Test(arguments: [0, 1, 9] as [UInt32])
  func refusesBuffersWithoutTheFormatsPlanes(count: UInt32) throws {
    var device = FakeDevice.multiplanar
    device.queriedPlaneCount = count
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    let request = StreamRequest(fourcc: .nm12, size: FrameSize(width: 640, height: 480))

    #expect(code { _ = try stream.start(request) } != nil)
    #expect(kernel.mappingCount == 0)
    #expect(kernel.bufferCount == 0)
  }

  @Test func countsTheBuffersThatTheDriverHas() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    #expect(stream.queuedCount == 0)
    _ = try stream.start(.vga)

    var frames: [LeasedFrame] = []
    for left in [3, 2, 1, 0] {
      frames.append(try #require(try stream.frame()))
      #expect(stream.queuedCount == left)
    }

    #expect(try stream.nextFrame(timeoutMilliseconds: 500).kind == "timedOut")
    frames.removeFirst()
    #expect(stream.queuedCount == 1)
    #expect(try stream.frame()?.sequence == 4)
  }

  @Test func tellsATimeoutFromAFrame() throws {
    var device = FakeDevice()
    device.frameCount = 1
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    _ = try stream.frame()
    let start = kernel.monotonicNanoseconds()

    #expect(try stream.nextFrame(deadline: start + 10_000_000_001).kind == "timedOut")
    #expect(kernel.monotonicNanoseconds() >= start + 10_000_000_001)
    #expect(try stream.nextFrame(deadline: 0).kind == "timedOut")
  }

  @Test func takesWhatIsThereWhenTheDeadlineHasPassed() throws {
    var device = FakeDevice()
    device.frames = [FakeFrame(delayNanoseconds: 0)]
    let stream = try VideoStream(FakeKernel(device))
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(deadline: 0).kind == "frame")
  }

  @Test func refusesToStartWithoutASignal() throws {
    var device = FakeDevice()
    device.inputs = [.init(name: "HDMI 0", status: 0x2)]
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)

    let error = error { _ = try stream.start(.vga) }

    #expect(error?.code == .noSignal)
    #expect(error?.description.contains("HDMI 0") == true)
    kernel.change { $0.inputs[0].status = 0 }
    _ = try stream.start(.vga)
    #expect(try stream.frame() != nil)
  }

  @Test func startsAgainInAnotherFormat() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)

    for fourcc in [FourCC.yuyv, .mjpg, .yuyv] {
      let request = StreamRequest(fourcc: fourcc, size: FrameSize(width: 320, height: 240))
      #expect(try stream.start(request).format.fourcc == fourcc)
      #expect(try stream.frame()?.sequence == 0)
      stream.stop()
      #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "ended")
    }

    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func isNotStartedTwice() throws {
    let stream = try VideoStream(FakeKernel())
    _ = try stream.start(.vga)
    #expect(code { _ = try stream.start(.vga) } == .inUse)
    #expect(try stream.frame() != nil)
  }

  @Test func keepsNothingOfManyRestarts() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)

    for _ in 0..<50 {
      _ = try stream.start(.vga)
      _ = try stream.frame()
      stream.stop()
      #expect(kernel.mappingCount == 0)
      #expect(kernel.bufferCount == 0)
      #expect(kernel.openCount == 1)
    }
  }

  @Test func endsInTheOrderThatDriversNeed() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    var request = StreamRequest.vga
    request.bufferCount = 2
    _ = try stream.start(request)

    let before = kernel.callCount
    stream.close()

    #expect(
      Array(kernel.log[before...]) == [.streamOff, .munmap, .munmap, .requestBuffers, .close])
  }

  @Test func endsWhenItIsForgotten() throws {
    let kernel = FakeKernel()
    var stream: VideoStream? = try VideoStream(kernel)
    _ = try stream?.start(.vga)
    stream = nil
    expectNothingLeft(of: kernel)
  }

  @Test func saysThatAnotherHandleStreams() throws {
    let kernel = FakeKernel()
    let first = try VideoStream(kernel)
    let second = try VideoStream(kernel)
    _ = try first.start(.vga)

    #expect(code { _ = try second.start(.vga) } == .inUse)
    #expect(kernel.count(.setFormat) == 2)  // EBUSY is no reason to try again.
    first.stop()
    _ = try second.start(.vga)
  }

  @Test func doesNotStartAgainOnceClosed() throws {
    let stream = try VideoStream(FakeKernel())
    stream.close()
    #expect(code { _ = try stream.start(.vga) } != nil)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "ended")
  }
}

/// Everything was given back, exactly once.
func expectNothingLeft(
  of kernel: FakeKernel, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(kernel.violations == [], sourceLocation: sourceLocation)
  #expect(kernel.openCount == 0, sourceLocation: sourceLocation)
  #expect(kernel.mappingCount == 0, sourceLocation: sourceLocation)
  #expect(kernel.bufferCount == 0, sourceLocation: sourceLocation)
  #expect(!kernel.isStreaming, sourceLocation: sourceLocation)
}
