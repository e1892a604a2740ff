public import Foundation
import Imaging
import LinuxSystem

/// Why a picture could not be kept, read or deleted.
public struct ImageStoreError: Error, Hashable, Sendable {
  /// What a caller can act on.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable {
      case notPermitted, noSpace, readOnly, tooLarge, damaged, notAPicture, notEncodable, failed
    }
    private let value: Value

    /// The user may not read or write there.
    public static let notPermitted = Code(value: .notPermitted)
    /// The disk or the user's quota is full.
    public static let noSpace = Code(value: .noSpace)
    /// The file system takes no changes.
    public static let readOnly = Code(value: .readOnly)
    /// The picture has more bytes than the store may hold; see
    /// ``ImageStore/DiskOptions/maximumByteCount``.
    public static let tooLarge = Code(value: .tooLarge)
    /// The bytes begin like no picture.
    public static let notAPicture = Code(value: .notAPicture)
    /// The file is there, but is no picture that can be read.
    public static let damaged = Code(value: .damaged)
    /// The picture has no bytes of its own and could not be encoded.
    public static let notEncodable = Code(value: .notEncodable)
    /// Anything else; see ``ImageStoreError/errno``.
    public static let failed = Code(value: .failed)
  }

  /// What a caller can act on.
  public let code: Code
  /// The kernel's error number, where a system call failed.
  public let errno: Int32?
  private let sentence: String

  init(_ code: Code, _ sentence: String, errno: Int32? = nil) {
    self.code = code
    self.errno = errno
    self.sentence = sentence.hasSuffix(".") ? sentence : sentence + "."
  }

  /// - Parameters:
  ///   - failure: What the kernel refused.
  ///   - what: The beginning of a sentence: what could not be done. The file's path follows.
  ///   - alternative: What else the user can do about it.
  init(_ failure: FileFailure, doing what: String, or alternative: String? = nil) {
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

extension ImageStoreError: CustomStringConvertible {
  /// One sentence that says what went wrong with which file, and what to do.
  public var description: String { sentence }
}

// MARK: - LocalizedError

extension ImageStoreError: LocalizedError {
  /// The sentence, which `localizedDescription` shows too.
  public var errorDescription: String? { sentence }
}
