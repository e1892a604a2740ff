import Glibc

/// What a person can do about a file that could not be read or written.
package enum FileTrouble: Hashable, Sendable {
  case notPermitted, noSpace, readOnly, other
}

extension FileFailure {
  package var trouble: FileTrouble {
    switch errno {
    case .accessDenied, .notPermitted: .notPermitted
    case .noSpace, .quotaExceeded: .noSpace
    case .readOnly: .readOnly
    default: .other
    }
  }

  /// The rest of a sentence that names what failed: why, and what to do.
  package var explanation: String {
    switch trouble {
    case .notPermitted: "\(self); check who owns \(path) and its folder"
    case .noSpace: "\(self); make room or raise the quota and try again"
    case .readOnly: "\(self); choose a folder on a writable file system"
    case .other: description
    }
  }
}
