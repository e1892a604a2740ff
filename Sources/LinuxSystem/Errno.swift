import Glibc

/// An error number of the kernel or the C library, as a value.
package struct Errno: RawRepresentable, Error, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// What the calling thread's last failed call left behind.
  package static var current: Errno { Errno(rawValue: Glibc.errno) }
}

// MARK: - CustomStringConvertible

extension Errno: CustomStringConvertible {
  /// The C library's sentence for the number, as of `strerror_r(3)`.
  package var description: String {
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(rawValue, &text, text.count) == 0 else { return "error \(rawValue)" }
    let characters = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: characters, as: UTF8.self)
  }
}

// MARK: - The numbers that this package tells apart

extension Errno {
  package static let accessDenied = Errno(rawValue: EACCES)
  package static let again = Errno(rawValue: EAGAIN)
  package static let badAddress = Errno(rawValue: EFAULT)
  package static let badDescriptor = Errno(rawValue: EBADF)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let busy = Errno(rawValue: EBUSY)
  package static let exists = Errno(rawValue: EEXIST)
  package static let fileTooBig = Errno(rawValue: EFBIG)
  package static let fileTableOverflow = Errno(rawValue: ENFILE)
  package static let interrupted = Errno(rawValue: EINTR)
  package static let invalidArgument = Errno(rawValue: EINVAL)
  package static let inputOutput = Errno(rawValue: EIO)
  package static let isFolder = Errno(rawValue: EISDIR)
  package static let linkSevered = Errno(rawValue: ENOLINK)
  package static let noDevice = Errno(rawValue: ENODEV)
  package static let noEntry = Errno(rawValue: ENOENT)
  package static let noLock = Errno(rawValue: ENOLCK)
  package static let noMemory = Errno(rawValue: ENOMEM)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let noSuchDeviceOrAddress = Errno(rawValue: ENXIO)
  package static let notAFolder = Errno(rawValue: ENOTDIR)
  package static let notPermitted = Errno(rawValue: EPERM)
  package static let notSupported = Errno(rawValue: ENOTTY)
  package static let otherFileSystem = Errno(rawValue: EXDEV)
  package static let outOfRange = Errno(rawValue: ERANGE)
  package static let protocolError = Errno(rawValue: EPROTO)
  package static let quotaExceeded = Errno(rawValue: EDQUOT)
  package static let readOnly = Errno(rawValue: EROFS)
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  package static let tooManyLinks = Errno(rawValue: ELOOP)
  package static let tooManyOpenFiles = Errno(rawValue: EMFILE)
}
