import Foundation
import Imaging
import LinuxSystem

/// Looks at the beginning of a file: what it is, when it was taken, how large it is; of a movie, at
/// what its container says, which may stand at the end. Nothing is decoded.
enum MediaLook {
  /// Cameras' EXIF has 64 KiB at most; colour profiles and the like may follow.
  private static let usualByteCount = 64 << 10
  private static let largestByteCount = 4 << 20

  /// What is known of a file after a look; nil where it has gone.
  static func look(at known: LibraryEntry) -> LibraryEntry? {
    var entry = known
    entry.isLookedAt = true
    entry.trouble = .none
    (entry.width, entry.height) = (0, 0)
    do throws(FileFailure) {
      let file = try OpenFile(reading: entry.path)
      let stamp = try file.stamp(entry.path.shown)
      entry.stamp = stamp
      entry.captured = stamp.modified / 1000
      entry.isDateFromFile = true
      try look(at: file, &entry)
    } catch {
      switch error.errno {
      case .noEntry: return nil
      case .accessDenied, .notPermitted: entry.trouble = .notPermitted
      default: entry.trouble = .cannotRead
      }
    }
    return entry
  }

  private static func look(
    at file: borrowing OpenFile, _ entry: inout LibraryEntry
  ) throws(FileFailure) {
    let beginning = try file.beginning(usualByteCount, entry.path.shown)
    switch kind(of: beginning) {
    case .image?: entry.kind = .image
    case .movie?: entry.kind = .movie
    // A picture or a movie by its name: damaged, or of a kind that is told in another way.
    default: break
    }
    switch entry.kind {
    case .other: break
    case .image: try lookAtPicture(file, beginning, &entry)
    case .movie:
      if beginning.isEmpty { entry.trouble = .unsupported }
      entry.setCaptured(MovieLook.captureDate(of: entry.path))
    }
  }

  /// Reads more of a file only where its headers do not end in what was read.
  private static func lookAtPicture(
    _ file: borrowing OpenFile, _ beginning: [UInt8], _ entry: inout LibraryEntry
  ) throws(FileFailure) {
    var bytes = beginning
    while true {
      do throws(ImagingError) {
        let image = try Image(Data(bytes))
        entry.setCaptured(image.metadata.dateTaken)
        (entry.width, entry.height) = (
          Int32(clamping: image.size.width), Int32(clamping: image.size.height)
        )
        return
      } catch {
        let isAll = bytes.count >= entry.stamp.byteCount || bytes.count >= largestByteCount
        guard error.code == .incomplete, !isAll else {
          entry.trouble = error.code == .tooLarge ? .tooLarge : .unsupported
          // What it says of itself may be right all the same.
          entry.setCaptured(ImageMetadata(reading: bytes.span.bytes).dateTaken)
          return
        }
      }
      let count = bytes.count
      bytes = try file.beginning(count * 8, entry.path.shown)
      // Somebody has cut it.
      guard bytes.count > count else {
        entry.trouble = .unsupported
        return
      }
    }
  }

  /// nil where the bytes begin like nothing that is known.
  static func kind(of bytes: [UInt8]) -> LibraryEntry.Kind? {
    if ImageFormat(recognizing: bytes.span.bytes) != nil { return .image }
    func holds(_ text: StaticString, at place: Int) -> Bool {
      bytes.dropFirst(place).starts(with: text.description.utf8)
    }
    // Matroska and WebM; AVI; MPEG's program stream.
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .movie }
    if holds("RIFF", at: 0), holds("AVI ", at: 8) { return .movie }
    if bytes.starts(with: [0, 0, 1, 0xBA]) { return .movie }
    // ISO base media, but for sound alone; QuickTime before it had a file type.
    if holds("ftyp", at: 4) { return holds("M4A", at: 8) || holds("M4B", at: 8) ? nil : .movie }
    let boxes: [StaticString] = ["moov", "mdat", "wide", "skip"]
    return boxes.contains { holds($0, at: 4) } ? .movie : nil
  }
}
