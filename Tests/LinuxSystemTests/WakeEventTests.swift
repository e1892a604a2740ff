import Foundation
import Glibc
import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WakeEventTests {
  private func isReadable(_ event: WakeEvent, timeoutMilliseconds: Int32 = 0) throws -> Bool {
    var entry = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
    return try withUnsafeMutablePointer(to: &entry) { entry in
      try LinuxKernel().poll(
        UnsafeMutableBufferPointer(start: entry, count: 1),
        timeoutMilliseconds: timeoutMilliseconds) == 1
    }
  }

  @Test func remembersASignalUntilItIsDrained() throws {
    let event = try WakeEvent()
    #expect(try !isReadable(event))
    #expect(!event.drain())

    event.signal()
    event.signal()

    #expect(try isReadable(event))
    #expect(event.drain())
    #expect(!event.drain())
    #expect(try !isReadable(event))
  }

  @Test func wakesAThreadThatWaits() async throws {
    let event = try WakeEvent()

    async let isWoken = onThread { try isReadable(event, timeoutMilliseconds: 30_000) }
    event.signal()

    #expect(try await isWoken)
  }

  @Test func givesItsDescriptorBack() throws {
    let descriptors = try (0..<2000).map { _ in try WakeEvent().descriptor }
    #expect(Set(descriptors).count < 1000)
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
