import Glibc

/// What a person can do about a file that could not be read or written.
package enum FileTrouble: Hashable, Sendable {
  case notPermitted, noSpace, readOnly, noFolder, isFolder, isNoFolder, nameTooLong, other
}

extension FileFailure {
  package var trouble: FileTrouble {
    switch errno {
    case .accessDenied, .notPermitted: .notPermitted
    case .noSpace, .quotaExceeded: .noSpace
    case .readOnly: .readOnly
    case .noEntry: .noFolder
    // A folder that another file system is mounted on is busy.
    case Errno(rawValue: EISDIR), .busy: .isFolder
    case Errno(rawValue: ENOTDIR): .isNoFolder
    case Errno(rawValue: ENAMETOOLONG): .nameTooLong
    default: .other
    }
  }

  /// The rest of a sentence that names the file: why it failed, what to do, and the full stop.
  package var explanation: String { explanation(or: nil) }

  /// The rest of a sentence that names the file.
  ///
  /// - Parameter alternative: What else can be done, as in “set a variable”.
  /// - Returns: Why it failed, what to do, and the full stop.
  package func explanation(or alternative: String?) -> String {
    let advice = [advice, alternative].compactMap { $0 }.joined(separator: ", or ")
    return advice.isEmpty ? "\(errno) (\(call))." : "\(errno) (\(call)); \(advice)."
  }

  private var advice: String? {
    switch trouble {
    case .notPermitted: "check who owns it and its folder"
    case .noSpace: "make room or raise the quota and try again"
    case .readOnly: "choose a folder on a writable file system"
    case .noFolder: "make the folder first"
    case .isFolder: "name a file, not a folder"
    case .isNoFolder: "what should be a folder there is a file: choose another place"
    case .nameTooLong: "choose a shorter name"
    case .other: nil
    }
  }
}
