import Foundation
import Imaging
import LinuxSystem

/// What is known of one file of a library.
struct LibraryEntry: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    /// Neither a picture nor a movie; kept so that nobody looks again.
    case other, image, movie

    var mediaType: PickerMediaType? {
      switch self {
      case .other: nil
      case .image: .image
      case .movie: .movie
      }
    }
  }

  enum Trouble: UInt8, Sendable { case none, unsupported, tooLarge, notPermitted, cannotRead }

  let path: RawPath
  var stamp: FileStamp
  var kind: Kind
  /// Microseconds since 1970, which the order goes by.
  var captured: Int64
  var isDateFromFile = true
  /// Whether the file's beginning has been read.
  var isLookedAt = false
  /// As shown; 0 where it is not known.
  var width: Int32 = 0
  var height: Int32 = 0
  var trouble = Trouble.none
  /// The library's change that has put it here; 0 for what a walk has found.
  var placed: UInt64 = 0

  /// A file that was found and not looked at yet.
  init(path: RawPath, stamp: FileStamp, kind: Kind) {
    self.path = path
    self.stamp = stamp
    self.kind = kind
    captured = stamp.modified / 1000
  }

  /// The newest first; at the same moment by path, so that the order is always the same.
  static func comesFirst(_ one: LibraryEntry, _ other: LibraryEntry) -> Bool {
    one.captured == other.captured ? one.path < other.path : one.captured > other.captured
  }

  mutating func setCaptured(_ date: Date?) {
    // Beyond 200 000 years there is nothing to order.
    guard let date, let moment = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded())
    else { return }
    captured = moment
    isDateFromFile = false
  }
}

// MARK: - What users see

extension PhotoLibrary.Asset {
  /// nil for what is neither a picture nor a movie.
  init?(_ entry: LibraryEntry, roots: [RawPath]) {
    guard let mediaType = entry.kind.mediaType else { return nil }
    let folder = entry.path.folder
    self.init(
      id: entry.path.percentEncoded, url: entry.path.url, mediaType: mediaType,
      captureDate: Date(timeIntervalSince1970: Double(entry.captured) / 1e6),
      isDateFromFile: entry.isDateFromFile, byteCount: entry.stamp.byteCount,
      pixelSize: entry.width > 0
        ? PixelSize(width: Int(entry.width), height: Int(entry.height)) : nil,
      album: roots.contains(folder) ? nil : folder.percentEncoded,
      trouble: entry.trouble.code)
  }
}

extension LibraryEntry.Trouble {
  var code: LibraryError.Code? {
    switch self {
    case .none: nil
    case .unsupported: .unsupportedPicture
    case .tooLarge: .tooLarge
    case .notPermitted: .notPermitted
    case .cannotRead: .cannotRead
    }
  }
}

extension RawPath {
  /// The address of a file.
  var url: URL { url(isFolder: false) }

  func url(isFolder: Bool) -> URL {
    let hint = isFolder ? URL.DirectoryHint.isDirectory : .notDirectory
    if let string { return URL(filePath: string, directoryHint: hint) }
    // Foundation repairs what is not UTF-8, unless it is written in this way.
    let text = "file://" + percentEncoded + (isFolder ? "/" : "")
    return URL(string: text) ?? URL(filePath: shown, directoryHint: hint)
  }

  /// The path of a file's address; nil for others.
  init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    let text = url.absoluteURL.path(percentEncoded: true)
    guard let path = RawPath(percentEncoded: text), path.bytes.first == UInt8(ascii: "/") else {
      return nil
    }
    var bytes = path.bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    self.init(bytes: bytes)
  }
}
