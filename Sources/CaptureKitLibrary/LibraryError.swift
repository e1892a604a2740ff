public import Foundation

/// Why something could not be chosen, added, or deleted.
public struct LibraryError: Error, Hashable, Sendable {
  /// What a user can act on.
  public let code: Code
  /// The kernel's error number, where a system call failed.
  public let errno: Int32?
  private let sentence: String

  init(_ code: Code, _ sentence: String, errno: Int32? = nil) {
    self.code = code
    self.errno = errno
    self.sentence = sentence
  }
}

// MARK: - CustomStringConvertible

extension LibraryError: CustomStringConvertible {
  /// One sentence that says what could not be done, and what to do.
  public var description: String { sentence }
}

// MARK: - LocalizedError

extension LibraryError: LocalizedError {
  /// The sentence, which `localizedDescription` shows too.
  public var errorDescription: String? { sentence }
}

// MARK: - Codes

extension LibraryError {
  /// What a user can act on. New codes may come in any version: keep a default.
  public struct Code: Hashable, Sendable {
    private enum Value: String {
      case noFolder, notPermitted, diskFull, cannotRead, cannotWrite, noAsset, outsideLibrary
      case unsupportedPicture, tooLarge, cannotTrash
      case sourceUnavailable, unsupportedMediaType, notPresented, alreadyPresented, cannotEdit,
        notNow
    }
    private let value: Value
    private init(_ value: Value) { self.value = value }

    /// There is no such folder, and it cannot be made.
    public static let noFolder = Code(.noFolder)
    /// This user may not read, or write, there.
    public static let notPermitted = Code(.notPermitted)
    /// The disk has no room left.
    public static let diskFull = Code(.diskFull)
    /// The file or the folder cannot be read.
    public static let cannotRead = Code(.cannotRead)
    /// The file cannot be written.
    public static let cannotWrite = Code(.cannotWrite)
    /// The library has no such picture or movie any more.
    public static let noAsset = Code(.noAsset)
    /// The place is not within the library's folders.
    public static let outsideLibrary = Code(.outsideLibrary)
    /// The file is no picture and no movie that can be shown.
    public static let unsupportedPicture = Code(.unsupportedPicture)
    /// The picture declares more pixels than may be decoded, or its file has more bytes.
    public static let tooLarge = Code(.tooLarge)
    /// The file cannot be put into the trash; it is where it was.
    public static let cannotTrash = Code(.cannotTrash)
    /// The picker's source is not there: no camera is plugged in, or the library has no folder.
    public static let sourceUnavailable = Code(.sourceUnavailable)
    /// The source does not have this kind of media.
    public static let unsupportedMediaType = Code(.unsupportedMediaType)
    /// The picker has not been presented, or has finished.
    public static let notPresented = Code(.notPresented)
    /// The picker is presented already.
    public static let alreadyPresented = Code(.alreadyPresented)
    /// The picker is presented, but does something else at the moment: wait, or cancel that.
    public static let notNow = Code(.notNow)
    /// The picture cannot be edited in this way.
    public static let cannotEdit = Code(.cannotEdit)
  }
}

extension LibraryError.Code: CustomStringConvertible {
  /// The code's name.
  public var description: String { value.rawValue }
}
