public import Foundation
package import LinuxSystem

/// Why items could not be read or saved.
public struct ItemStoreError: Error, Hashable, Sendable {
  /// What a caller can act on.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable {
      case notPermitted, noSpace, readOnly, damaged, unclearDates, busy, newer, exists, failed
    }
    private let value: Value

    /// The user may not read or write there.
    public static let notPermitted = Code(value: .notPermitted)
    /// The disk or the user's quota is full.
    public static let noSpace = Code(value: .noSpace)
    /// The file system takes no changes.
    public static let readOnly = Code(value: .readOnly)
    /// The file holds no list of items, and could not be set aside.
    public static let damaged = Code(value: .damaged)
    /// The dates of a JSON file may mean several things, or nothing; name an ``ItemDates``.
    public static let unclearDates = Code(value: .unclearDates)
    /// Another program has locked the file for too long.
    public static let busy = Code(value: .busy)
    /// A newer version of the program has written the file, and this one does not know how.
    public static let newer = Code(value: .newer)
    /// There is an inventory already where one was to be made.
    public static let exists = Code(value: .exists)
    /// Anything else; see ``ItemStoreError/errno``.
    public static let failed = Code(value: .failed)
  }

  /// What a caller can act on.
  public let code: Code
  /// The kernel's error number, where a system call failed.
  public let errno: Int32?
  private let sentence: String

  package init(_ code: Code, _ sentence: String, errno: Int32? = nil) {
    self.code = code
    self.errno = errno
    self.sentence = sentence.hasSuffix(".") ? sentence : sentence + "."
  }

  /// - Parameters:
  ///   - failure: What the kernel refused.
  ///   - what: The beginning of a sentence: what could not be done. The file's path follows.
  ///   - alternative: What else the user can do about it.
  package init(_ failure: FileFailure, doing what: String, or alternative: String? = nil) {
    let code: Code =
      switch failure.trouble {
      case .notPermitted: .notPermitted
      case .noSpace: .noSpace
      case .readOnly: .readOnly
      case .noFolder, .isFolder, .isNoFolder, .nameTooLong, .other: .failed
      }
    self.init(
      code, "\(what) at \(failure.path): \(failure.explanation(or: alternative))",
      errno: failure.errno.rawValue)
  }
}

// MARK: - CustomStringConvertible

extension ItemStoreError: CustomStringConvertible {
  /// One sentence that says what went wrong with which file, and what to do.
  public var description: String { sentence }
}

// MARK: - LocalizedError

extension ItemStoreError: LocalizedError {
  /// The sentence, which `localizedDescription` shows too.
  public var errorDescription: String? { sentence }
}
