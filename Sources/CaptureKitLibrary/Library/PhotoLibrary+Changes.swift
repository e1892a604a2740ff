extension PhotoLibrary {
  /// What happens to the library from now on, whoever does it: this program, others, or the library
  /// itself, which learns more about the files.
  ///
  /// A reader that is slow gets several changes as one. Each reader has to ask for a sequence of its
  /// own. It ends when the library is let go of.
  public var changes: Changes { Changes(subscription: core.subscribe()) }

  /// Changes, one after the other, for one reader.
  public struct Changes: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = Change
    /// Nothing is thrown.
    public typealias Failure = Never

    let subscription: ChangeSubscription

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
      Iterator(subscription: subscription, ticks: subscription.makeTicks())
    }

    /// Waits for the next change. Belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      let subscription: ChangeSubscription
      var ticks: AsyncStream<Void>.AsyncIterator

      /// Waits for the next change.
      ///
      /// - Returns: What is different; nil at the end, and where the task is cancelled.
      public mutating func next() async -> Change? {
        while !Task.isCancelled {
          if let change = subscription.take() { return change }
          guard await ticks.next(isolation: #isolation) != nil else { return nil }
        }
        return nil
      }
    }
  }
}
