public import Foundation

/// Why a picture could not be read, made or changed.
public struct ImagingError: Error, Hashable, Sendable {
  /// What a caller can act on.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case corrupt, unsupported, tooLarge, incomplete, unreadable, invalidRectangle,
        invalidSize, invalidMetadata
    }
    private let value: Value

    /// The code's name.
    public var description: String { value.rawValue }

    /// The bytes are no picture, or a damaged one.
    public static let corrupt = Code(value: .corrupt)
    /// A sound picture of a kind that this library does not read.
    public static let unsupported = Code(value: .unsupported)
    /// The picture asks for more than is allowed: pixels, scans, metadata or memory.
    public static let tooLarge = Code(value: .tooLarge)
    /// The picture's end is missing.
    public static let incomplete = Code(value: .incomplete)
    /// The file could not be read.
    public static let unreadable = Code(value: .unreadable)
    /// A rectangle that is empty, is no number, or does not lie within the picture.
    public static let invalidRectangle = Code(value: .invalidRectangle)
    /// The size that was asked for is no picture's.
    public static let invalidSize = Code(value: .invalidSize)
    /// A picture is to say something of itself that EXIF has no way to say.
    public static let invalidMetadata = Code(value: .invalidMetadata)
  }

  /// What a caller can act on.
  public let code: Code
  /// The kernel's error number, where a system call failed.
  public let errno: Int32?
  private let sentence: String

  package init(_ code: Code, _ sentence: String, errno: Int32? = nil) {
    self.code = code
    self.errno = errno
    self.sentence = sentence
  }
}

// MARK: - CustomStringConvertible

extension ImagingError: CustomStringConvertible {
  /// One sentence that says what is wrong with which picture.
  public var description: String { sentence }
}

// MARK: - LocalizedError

extension ImagingError: LocalizedError {
  /// The sentence, which `localizedDescription` shows too.
  public var errorDescription: String? { sentence }
}
