import Synchronization

/// The changes of an ``ItemStore``, as they happen.
///
/// It begins where the store is asked for it. What happens while nobody reads is told as one
/// change, so that it never takes more room than the list. It ends with the store, and when its
/// task is cancelled.
public struct ItemChangeSequence: AsyncSequence, Sendable {
  let listening: Listening

  /// Reads the changes.
  public func makeAsyncIterator() -> Iterator { Iterator(listening: listening) }

  /// Reads the changes; one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let listening: Listening

    /// Waits for the next changes; nil after the end.
    public mutating func next() async -> ItemChanges? {
      let listening = listening
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let deliveries = listening.core.state.withLock {
            $0.wait(listening.number, with: continuation)
          }
          for delivery in deliveries { delivery.perform() }
        }
      } onCancel: {
        listening.stop()
      }
    }
  }

  /// One listener of a store, which stops with its last reference.
  final class Listening: Sendable {
    fileprivate let core: StoreCore
    fileprivate let number: Int

    init(to core: StoreCore) {
      self.core = core
      number = core.state.withLock { $0.addListener() }
    }

    deinit { stop() }

    fileprivate func stop() {
      guard let delivery = core.state.withLock({ $0.removeListener(number) }) else { return }
      delivery.perform()
      core.watcher.stop()
    }
  }
}

@available(*, unavailable)
extension ItemChangeSequence.Iterator: Sendable {}

/// What a store and its listeners share: a listener does not keep its store.
final class StoreCore: Sendable {
  let state: Mutex<StoreState>
  let watcher = FileWatcher()

  init(_ state: StoreState) { self.state = Mutex(state) }

  /// Ends all sequences.
  func finish() {
    watcher.end()
    for delivery in state.withLock({ $0.removeListeners() }) { delivery.perform() }
  }
}
