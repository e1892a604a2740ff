/// Cameras as they come and go; each change is told once to each reader.
///
/// ```swift
/// for await change in CaptureDevice.changes {
///   switch change {
///   case .connected(let camera): show("\(camera.localizedName) is there")
///   case .disconnected(let camera): show("\(camera.localizedName) is gone")
///   case .updated: continue
///   }
/// }
/// ```
///
/// The machine is watched while an iterator lives. What changed since somebody last looked is told
/// first; cameras that are there at the first look of all are not. The sequence ends when the
/// reader's task is cancelled. A reader that is slow loses nothing that still matters: only a
/// camera that came and went meanwhile may be left out.
public struct CaptureDeviceChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = CaptureDeviceChange
  /// Nothing is thrown.
  public typealias Failure = Never

  let environment: CaptureEnvironment

  /// Begins to watch; changes from now on are kept for the iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: environment.subscribe())
  }

  /// One reader of the changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: DeviceSubscription
    private var ticks: AsyncStream<Void>.AsyncIterator

    init(subscription: DeviceSubscription) {
      self.subscription = subscription
      ticks = subscription.ticks.makeAsyncIterator()
    }

    /// Waits for the next change; nil when the task is cancelled.
    public mutating func next() async -> CaptureDeviceChange? {
      while !Task.isCancelled {
        if let change = subscription.take() { return change }
        guard await ticks.next(isolation: #isolation) != nil else { return nil }
      }
      return nil
    }
  }
}
