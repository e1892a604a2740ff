import Imaging
import LinuxSystem

/// A movie's file: takes bytes at the places where a container wants them, and knows how far it is
/// whole. Used by one thread at a time.
final class MovieFileSink {
  let path: String
  private let file: OpenFile
  /// Where the next bytes go.
  private(set) var place: Int64 = 0
  /// The file's size.
  private(set) var byteCount: Int64 = 0
  /// Why bytes could not be written; nothing more is written then.
  private(set) var failure: FileFailure?
  /// The size up to which the file can be played.
  private var wholeByteCount: Int64 = 0
  /// What the file begins with, as far as `headerLimit`.
  private(set) var header: [UInt8] = []

  private static let headerLimit = 8192

  /// The few bytes that stand before a frame, to be written with it in one call.
  private var kept: [UInt8] = []
  private static let keptLimit = 256

  /// Makes the file.
  ///
  /// - Throws: `FileFailure`, with `EEXIST` where something has the name.
  init(making path: String) throws(FileFailure) {
    self.path = path
    file = try OpenFile(making: path, permissions: 0o666)
  }

  /// Writes bytes where the file stands.
  ///
  /// - Returns: Whether they are written, or kept to be written with those that follow.
  func write(_ bytes: RawSpan) -> Bool {
    guard failure == nil else { return false }
    noteHeader(bytes)
    place += Int64(bytes.byteCount)
    byteCount = max(byteCount, place)
    guard kept.count + bytes.byteCount > Self.keptLimit else {
      kept.append(bytes)
      return true
    }
    let start = place - Int64(bytes.byteCount) - Int64(kept.count)
    do throws(FileFailure) {
      try file.write(kept.span.bytes, then: bytes, at: start, path)
    } catch {
      failure = error
      return false
    }
    kept.removeAll(keepingCapacity: true)
    return true
  }

  /// Writes what was kept.
  private func settle() {
    guard failure == nil, !kept.isEmpty else { return }
    do throws(FileFailure) {
      try file.write(kept.span.bytes, at: place - Int64(kept.count), path)
    } catch {
      failure = error
    }
    kept.removeAll(keepingCapacity: true)
  }

  private func noteHeader(_ bytes: RawSpan) {
    guard place == Int64(header.count), header.count < Self.headerLimit else { return }
    header.append(bytes.extracting(first: Self.headerLimit - header.count))
  }

  /// Moves to another place, which may be behind the file's end.
  ///
  /// - Returns: Whether there is such a place.
  func seek(to place: Int64) -> Bool {
    guard place >= 0 else { return false }
    if place != self.place { settle() }
    self.place = place
    return true
  }

  /// Writes over bytes that are in the file already; the place stays. Where it fails the old bytes
  /// stay, or the file is given up.
  func patch(_ bytes: [UInt8], at place: Int64) {
    settle()
    guard failure == nil, place >= 0, place + Int64(bytes.count) <= byteCount else { return }
    do throws(FileFailure) {
      try file.write(bytes.span.bytes, at: place, path)
    } catch {
      failure = error
    }
  }

  /// All that is in the file now can be played.
  func noteWhole() {
    settle()
    if failure == nil { wholeByteCount = byteCount }
  }

  /// Cuts off what was written since the file was whole, after a failure.
  func cutToWhole() {
    kept = []
    // Where that fails too, players come upon a frame that stops in the middle.
    try? file.truncate(to: wholeByteCount, path)
    byteCount = wholeByteCount
  }

  /// Takes the file's name away.
  func remove() {
    // A file that somebody else has put there meanwhile is theirs.
    guard file.hasName else { return }
    _ = try? AtomicFile.remove(path, durability: .none)
    byteCount = 0
  }

  /// Bytes that may still be written to the file's disk; nil where nobody knows.
  var freeByteCount: Int64? { try? file.freeByteCount(path) }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: RawSpan) {
    reserveCapacity(count + bytes.byteCount)
    for index in 0..<bytes.byteCount { bytes.byte(at: index).map { append($0) } }
  }
}
