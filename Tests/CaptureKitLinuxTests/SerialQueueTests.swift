import Dispatch
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct SerialQueueTests {
  struct Failure: Error {}

  @Test func knowsItsOwnWork() async {
    let queue = SerialQueue(label: "queue")
    #expect(!queue.isCurrent)
    #expect(queue.sync { queue.isCurrent })
    #expect(!queue.isCurrent)

    let isCurrent = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: queue.isCurrent) }
    }
    #expect(isCurrent)
  }

  @Test func isNotCurrentInWorkOfOthers() {
    let (one, other) = (SerialQueue(label: "one"), SerialQueue(label: "other"))

    #expect(!one.sync { other.isCurrent })
    #expect(one.sync { other.sync { one.isCurrent && other.isCurrent } })
  }

  @Test func isNotCurrentOnAnotherThreadWhileItWorks() {
    let queue = SerialQueue(label: "queue")
    let (started, looked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    queue.async {
      started.signal()
      looked.wait()
    }
    started.wait()

    #expect(!queue.isCurrent)
    looked.signal()
    queue.sync {}
  }

  @Test func isNotCurrentAfterWorkThatThrows() {
    let queue = SerialQueue(label: "queue")

    #expect(throws: Failure.self) { try queue.sync { throw Failure() } }
    #expect(!queue.isCurrent)
  }
}
