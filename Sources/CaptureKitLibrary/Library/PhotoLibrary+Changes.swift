extension PhotoLibrary {
  /// What happens to the library from now on, whoever does it: this program, others, or the library
  /// itself, which learns more about the files.
  ///
  /// A reader that is slow gets several changes as one; each reader gets all. Ends when the library
  /// is let go of.
  public var changes: Changes { Changes() }

  /// Changes, one after the other.
  public struct Changes: AsyncSequence, Sendable {
    /// Waits for the next change. Belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      /// - Returns: What is different; nil at the end, and where the task is cancelled.
      public mutating func next() async -> Change? { nil }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator() }
  }
}
