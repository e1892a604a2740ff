extension CaptureDataOutputSynchronizer {
  /// The sets as they come; each loop over it has its own place.
  ///
  /// A loop gets the newest set that it has not seen. It ends when the sessions of all outputs have
  /// stopped, and when the task is cancelled.
  public struct FrameSets: AsyncSequence, Sendable {
    /// Frames of one time.
    public typealias Element = CaptureFrameSet
    /// Loops do not throw: why a camera ended is told by its session.
    public typealias Failure = Never

    let synchronizer: CaptureDataOutputSynchronizer

    /// Begins a loop; sets from now on are for it.
    public func makeAsyncIterator() -> Iterator {
      Iterator(synchronizer: synchronizer)
    }

    /// One loop's place; not to be shared by tasks.
    public final class Iterator: AsyncIteratorProtocol {
      private let synchronizer: CaptureDataOutputSynchronizer
      private let subscription: FrameSynchronizer.Subscription

      init(synchronizer: CaptureDataOutputSynchronizer) {
        self.synchronizer = synchronizer
        subscription = synchronizer.core.subscribe()
      }

      deinit {
        synchronizer.core.unsubscribe(subscription)
      }

      /// The next set; nil at the end.
      public func next() async -> CaptureFrameSet? {
        await subscription.next().map(CaptureFrameSet.init)
      }
    }
  }

  /// The sets as they come: the newest, late ones dropped and counted.
  public var frameSets: FrameSets { FrameSets(synchronizer: self) }
}
