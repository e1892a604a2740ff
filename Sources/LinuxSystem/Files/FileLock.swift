/// A lock between threads and processes, by flock(2) on a file of its own. The kernel takes it from
/// a process that ends, however it ends.
package struct FileLock: ~Copyable {
  /// The lock's file; not to be closed before the lock may go.
  package let file: OpenFile

  package enum Kind: Hashable, Sendable { case shared, exclusive }

  /// Waits for the lock; nil where others had it all the time: one of them may have been stopped.
  ///
  /// - Parameters:
  ///   - path: The lock's file, made where it is missing.
  ///   - kind: Together with others of the same kind, or alone.
  ///   - nanoseconds: How long to wait; 0 takes it only where it is free.
  ///   - isWritable: Whether the file holds something that is changed under the lock.
  /// - Throws: `FileFailure` where the file can be neither opened nor made.
  package init?(
    _ path: String, _ kind: Kind, within nanoseconds: UInt64, isWritable: Bool = false
  ) throws(FileFailure) {
    let file = try OpenFile(sharing: path, isWritable: isWritable)
    guard file.lock(exclusive: kind == .exclusive, within: nanoseconds) else { return nil }
    self.file = file
  }
}
