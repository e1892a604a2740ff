/// A call on a file that the kernel refused.
package struct FileFailure: Error, Hashable, Sendable {
  /// The call's name, as its manual page has it.
  package let call: String
  package let path: String
  package let errno: Errno

  package init(call: String, path: String, errno: Errno) {
    self.call = call
    self.path = path
    self.errno = errno
  }
}

// MARK: - CustomStringConvertible

extension FileFailure: CustomStringConvertible {
  /// One sentence: what failed, where and why.
  package var description: String { "\(path): \(errno) (\(call))" }
}

// MARK: - Calls that either work or throw

extension FileFailure {
  /// Calls on `path`, repeats what a signal interrupts, and turns −1 into an error.
  ///
  /// A path with a NUL in it would name another file in C; it is refused before the call.
  @discardableResult
  static func check<Number: SignedInteger>(
    _ call: String, _ path: String, _ body: () -> Number
  ) throws(FileFailure) -> Number {
    guard !path.utf8.contains(0) else {
      throw FileFailure(call: call, path: path, errno: .invalidArgument)
    }
    return try self.call(call, path, body)
  }

  /// The same for a path that is known to have no NUL.
  @discardableResult
  static func call<Number: SignedInteger>(
    _ call: String, _ path: String, _ body: () -> Number
  ) throws(FileFailure) -> Number {
    do {
      return try retryingInterrupts(body)
    } catch {
      throw FileFailure(call: call, path: path, errno: error)
    }
  }
}
