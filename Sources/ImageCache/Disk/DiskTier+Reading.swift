import Foundation
import Imaging
import LinuxSystem

/// A picture's bytes and what its file was.
struct DiskPicture: Sendable {
  let bytes: Data
  let stamp: DiskStamp
}

extension DiskTier {
  /// A picture that is what was written: nil where the key has none, or a damaged one, which is
  /// set aside.
  ///
  /// After a deletion has returned, no read in this process returns what was deleted, whenever it
  /// began.
  ///
  /// - Throws: `ImageStoreError` where there is a file that cannot be read.
  func read(forKey key: String) throws(ImageStoreError) -> DiskPicture? {
    let name = FileName.name(forKey: key)
    do throws(FileFailure) {
      // Whoever deletes it again and again is answered that it is deleted.
      for _ in 0..<16 {
        let start = recentDeletions.count
        let outcome = try readOnce(name, key)
        guard !recentDeletions.contain(name, since: start) else { continue }
        switch outcome {
        case .found(let picture):
          note(picture)
          return picture
        case .missing:
          note(nil)
          return nil
        case .replaced: continue
        }
      }
      note(nil)
      return nil
    } catch {
      throw ImageStoreError(error, doing: "The picture could not be read")
    }
  }

  private enum Outcome {
    case found(DiskPicture)
    case missing
    /// It was replaced while it was read, so that what was read of it and its record do not match.
    case replaced
  }

  private func note(_ picture: DiskPicture?) {
    count {
      guard let picture else { return $0.misses += 1 }
      $0.hits += 1
      $0.bytesRead += picture.bytes.count
    }
  }

  private func readOnce(_ name: String, _ key: String) throws(FileFailure) -> Outcome {
    let path = layout.picture(name)
    guard let file = try openPicture(path) else { return .missing }
    let status = try pictureStatus(file, path)
    if isExpired(status) {
      release(evict([FolderEntry(name: name, status: status)]))
      return .missing
    }
    if FileName.isHashed(name) {
      // Two keys may have one hash, however unlikely that is; nobody gets another one's picture.
      if let longKey = longKey(of: name, in: file), longKey != key { return .missing }
      longKeys.remember(key, name: name)
    }
    let bytes = try file.read(status.byteCount, path)
    switch verdict(on: bytes, status, file, recordName: name) {
    case .whole: break
    case .foreign(let checksum): adopt(file, status, checksum)
    case .unfinished: return .missing
    case .damaged: return setAside(name, status) ? .missing : .replaced
    }
    file.touch()
    return .found(DiskPicture(bytes: Data(taking: bytes), stamp: DiskStamp(status)))
  }

  /// nil where there is no file.
  private func openPicture(_ path: String) throws(FileFailure) -> OpenFile? {
    do {
      return try OpenFile(reading: path)
    } catch let error where error.errno == .noEntry {
      return nil
    }
  }

  private func pictureStatus(
    _ file: borrowing OpenFile, _ path: String
  ) throws(FileFailure) -> FileStatus {
    let status = try file.status(path)
    guard status.isRegular else {
      throw FileFailure(
        call: "read", path: path, errno: status.isFolder ? .isFolder : .invalidArgument)
    }
    guard status.byteCount <= Self.maximumByteCount else {
      throw FileFailure(call: "read", path: path, errno: .fileTooBig)
    }
    return status
  }
}

// MARK: - Whether it is what was written

extension DiskTier {
  /// A file of somebody else that is older than this, in nanoseconds, is not being written any
  /// more.
  static let foreignWritingTime: Int64 = 10_000_000_000

  enum Verdict {
    /// What was written.
    case whole
    /// Somebody else has put it there, a picture to its end.
    case foreign(Checksum)
    /// Somebody else may be writing it.
    case unfinished
    case damaged
  }

  func verdict(
    on bytes: borrowing FileBytes, _ status: FileStatus, _ file: borrowing OpenFile,
    recordName: String
  ) -> Verdict {
    let checksum = Checksum(of: bytes.bytes)
    if let text = file.attribute(Checksum.attribute), let written = Checksum(text) {
      // Also where a program has changed the file in place: a change and damage look the same.
      return written == checksum ? .whole : .damaged
    }
    if let entries = SideRecord(contentsOf: layout.record(recordName))?.entries, !entries.isEmpty {
      if entries.contains(where: { $0.checksum == checksum }) { return .whole }
      let isKnown = entries.contains {
        $0.fileNumber == status.fileNumber || $0.modified == status.modified
      }
      if isKnown { return .damaged }
    }
    if bytes.byteCount == status.byteCount, bytes.bytes.isPictureToItsEnd {
      return .foreign(checksum)
    }
    return isBeingWritten(status) ? .unfinished : .damaged
  }

  private func isBeingWritten(_ status: FileStatus) -> Bool {
    Int64.nanosecondsSince1970 - status.modified < Self.foreignWritingTime
  }

  /// Gives another's picture a checksum, once nobody writes it any more.
  private func adopt(_ file: borrowing OpenFile, _ status: FileStatus, _ checksum: Checksum) {
    guard usesAttributes, !isBeingWritten(status),
      file.setAttribute(Checksum.attribute, to: checksum.text)
    else { return }
    count { $0.adoptions += 1 }
  }

  /// A key that the name does not say; nil where it was not kept.
  func longKey(of name: String) -> String? {
    guard let file = try? OpenFile(reading: layout.picture(name)) else { return nil }
    return longKey(of: name, in: file)
  }

  private func longKey(of name: String, in file: borrowing OpenFile) -> String? {
    if let bytes = file.attribute(Self.keyAttribute, atMost: Self.maximumAttributeByteCount) {
      return String(validating: bytes, as: UTF8.self)
    }
    return SideRecord(contentsOf: layout.record(name))?.key
  }
}

extension RawSpan {
  /// Whether these bytes are a picture that has an end; nothing is decoded.
  fileprivate var isPictureToItsEnd: Bool {
    switch ImageFormat(recognizing: self) {
    case .jpeg?, nil: (try? JPEGHeader(parsing: self))?.endOffset != nil
    case .png?: holds("IEND", at: byteCount - 8) || place(of: "IEND") != nil
    default: true
    }
  }
}

extension Int64 {
  /// The system's time.
  static var nanosecondsSince1970: Int64 {
    let now = Date().timeIntervalSince1970 * 1e9
    return Int64(exactly: now.rounded()) ?? .max
  }
}
