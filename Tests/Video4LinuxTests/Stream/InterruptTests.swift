import Foundation
import LinuxSystem
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct InterruptTests {
  /// A stream on which nothing will ever come.
  private func silentStream() throws -> (FakeKernel, VideoStream) {
    var device = FakeDevice()
    device.frameCount = 0
    let kernel = FakeKernel(device)
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    return (kernel, stream)
  }

  /// Begins to wait for ever, and returns once it does.
  private func wait(on stream: VideoStream, _ kernel: FakeKernel) async -> Task<String, any Error> {
    let task = Task { try await onThread { try stream.nextFrame(deadline: .max).kind } }
    while kernel.count(.poll) == 0 { await Task.yield() }
    return task
  }

  @Test func wakesAWaitForEver() async throws {
    let (kernel, stream) = try silentStream()
    let waiting = await wait(on: stream, kernel)

    stream.interrupt()

    #expect(try await waiting.value == "interrupted")
  }

  @Test func isNotLostWhenNobodyWaitsYet() throws {
    let (_, stream) = try silentStream()
    stream.interrupt()
    #expect(try stream.nextFrame(deadline: .max).kind == "interrupted")
    #expect(try stream.nextFrame(timeoutMilliseconds: 10).kind == "timedOut")
  }

  @Test func comesBeforeAFrame() throws {
    let stream = try VideoStream(FakeKernel())
    _ = try stream.start(.vga)
    stream.interrupt()
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "interrupted")
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
  }

  @Test func endsAWaitWhenAnotherThreadStops() async throws {
    let (kernel, stream) = try silentStream()
    let waiting = await wait(on: stream, kernel)

    stream.stop()

    #expect(try await waiting.value == "ended")
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func isForgottenByTheNextStart() throws {
    let stream = try VideoStream(FakeKernel())
    _ = try stream.start(.vga)
    stream.stop()
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
  }

  @Test func survivesStopsFromManyThreads() async throws {
    for _ in 0..<50 {
      let kernel = FakeKernel()
      let stream = try VideoStream(kernel)
      _ = try stream.start(.vga)
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          while (try? stream.nextFrame(timeoutMilliseconds: 1000).kind) == "frame" {}
        }
        for _ in 0..<3 { group.addTask { stream.stop() } }
      }
      stream.close()
      expectNothingLeft(of: kernel)
    }
  }
}

/// Runs what blocks on a thread of its own: the tests' own threads are few.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
