import LinuxSystem
import Testing
import Video4Linux

/// What other threads do in the middle of a call.
@Suite(.timeLimit(.minutes(1)))
struct TransitionTests {
  private let starting: [FakeCall] = [
    .getInput, .setFormat, .requestBuffers, .queueBuffer, .streamOn,
  ]

  @Test func stopsWhatIsStillStarting() throws {
    for call in starting {
      let kernel = FakeKernel()
      let stream = try VideoStream(kernel)
      kernel.before(call) { stream.stop() }

      _ = try stream.start(.vga)

      #expect(!kernel.isStreaming, "\(call)")
      #expect(kernel.mappingCount == 0, "\(call)")
      #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "ended", "\(call)")
      _ = try stream.start(.vga)
      #expect(try stream.frame() != nil, "\(call)")
      #expect(kernel.violations == [], "\(call)")
    }
  }

  @Test func closesWhatIsStillStarting() throws {
    for call in starting {
      let kernel = FakeKernel()
      let stream = try VideoStream(kernel)
      kernel.before(call) {
        stream.close()
        stream.stop()
      }

      _ = try stream.start(.vga)

      expectNothingLeft(of: kernel)
      #expect(code { _ = try stream.start(.vga) } == .inUse, "\(call)")
    }
  }

  @Test func closesWhatFailsToStart() throws {
    let kernel = FakeKernel(faults: [.once(.streamOn, .noSpace)])
    let stream = try VideoStream(kernel)
    kernel.before(.streamOn) { stream.close() }
    #expect(code { _ = try stream.start(.vga) } == .usbBandwidth)
    expectNothingLeft(of: kernel)
  }

  @Test func takesAStopUnderADequeueForTheEnd() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    kernel.before(.dequeueBuffer) { stream.stop() }
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "ended")
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func takesACloseUnderADequeueForTheEnd() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    kernel.before(.dequeueBuffer) { stream.close() }
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "ended")
    expectNothingLeft(of: kernel)
  }

  @Test func isNotStartedAnewBeforeItHasStopped() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    kernel.before(.streamOff) {
      stream.stop()
      let failure = error { _ = try stream.start(.vga) }
      // By its own account: the driver was not even asked.
      #expect(failure?.code == .inUse && failure?.errno == nil)
    }

    stream.stop()

    _ = try stream.start(.vga)
    #expect(try stream.frame() != nil)
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func closesWhatIsStillStopping() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    kernel.before(.streamOff) {
      stream.close()
      stream.stop()
    }

    stream.stop()

    expectNothingLeft(of: kernel)
    #expect(code { _ = try stream.start(.vga) } == .inUse)
  }

  @Test func takesNoFrameBackThatComesWhileItEnds() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    let holder = Holder(try stream.frame())
    kernel.before(.streamOff) { holder.frame = nil }
    let queueCount = kernel.count(.queueBuffer)

    stream.close()

    #expect(kernel.count(.queueBuffer) == queueCount)
    expectNothingLeft(of: kernel)
  }

  /// Unchecked, as the two uses of it are in one thread.
  private final class Holder: @unchecked Sendable {
    var frame: LeasedFrame?
    init(_ frame: LeasedFrame?) { self.frame = frame }
  }
}
