import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NamedThreadTests {
  @Test(arguments: [("camera", "camera"), ("a name that is far too long", "a name that is")])
  func runsTheWorkUnderItsName(name: String, shown: String) async throws {
    let seen = try await withCheckedThrowingContinuation { continuation in
      do throws(Errno) {
        try NamedThread.start(name) {
          continuation.resume(returning: FileTree.text(at: "/proc/thread-self/comm"))
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }

    #expect(seen == shown)
  }

  @Test func letsGoOfTheWorkWhenItIsDone() async throws {
    final class Token: Sendable {
      let onEnd: @Sendable () -> Void
      init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }

    try await confirmation { gone in
      let (ends, end) = AsyncStream<Void>.makeStream()
      do {
        let token = Token { end.finish() }
        try NamedThread.start("token") { withExtendedLifetime(token) {} }
      }
      for await _ in ends {}
      gone()
    }
  }

  @Test func saysWhenThereIsNoRoomForAStack() {
    #expect(throws: Errno.again) {
      try NamedThread.start("huge", stackByteCount: 1 << 46) {}
    }
  }
}
