import CaptureKitLinux
import Foundation
import Synchronization

/// Waits for a notification that may have come before it is asked for.
final class NotificationProbe: Sendable {
  struct Message: Sendable {
    var error: CaptureError?
  }

  private let messages: AsyncStream<Message>
  private let counter = Counter()

  private final class Counter: Sendable {
    let count = Atomic(0)
  }

  /// How many have come so far.
  var count: Int { counter.count.load(ordering: .relaxed) }

  init(_ name: Notification.Name, of object: some AnyObject & Sendable) {
    let (messages, continuation) = AsyncStream<Message>.makeStream()
    self.messages = messages
    // The observer lives as long as the process; tests are few.
    _ = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [counter] in
      counter.count.add(1, ordering: .relaxed)
      continuation.yield(
        Message(error: $0.userInfo?[CaptureSession.errorKey] as? CaptureError))
    }
  }

  /// The first message that has come, or comes.
  var first: Message? {
    get async {
      var iterator = messages.makeAsyncIterator()
      return await iterator.next()
    }
  }
}
