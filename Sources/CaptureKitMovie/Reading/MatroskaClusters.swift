import Imaging

/// A Matroska file's clusters, groups of frames that follow each other, found without an index: by
/// the bytes that each begins with (RFC 9559).
///
/// Recordings that were interrupted have no index, and reading an hour of pictures to find one frame
/// takes minutes.
struct MatroskaClusters {
  /// Where a group of frames begins, and the time that its frames count from.
  struct Cluster: Hashable {
    var offset: Int
    var time: Int64
  }

  private static let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
  /// The mark's first two bytes.
  private static let begin: StaticString = "\u{1F}C"
  /// A cluster's begin: its mark, its size, a checksum, its time.
  private static let beginByteCount = 64
  private static let chunkByteCount = 1 << 18
  /// Clusters that are larger are not found: they have seconds of uncompressed pictures.
  private static let largest = 64 << 20
  /// Where halves are no longer halved.
  private static let smallestPart = 1 << 16

  private let byteCount: Int
  private let read: (_ offset: Int, _ count: Int) -> [UInt8]

  init(byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
    self.byteCount = byteCount
    self.read = read
  }

  /// The last cluster that does not begin after a time, by halving the file; nil where none is
  /// found.
  func last(notAfter time: Int64) -> Cluster? {
    var found: Cluster?
    var (low, high) = (0, byteCount)
    while high - low > Self.smallestPart {
      let middle = low + (high - low) / 2
      if let next = first(from: middle, before: high), next.time <= time {
        found = next
        low = max(next.offset + 1, middle)
      } else {
        high = middle
      }
    }
    // What is left is looked through: the last halves may have had several.
    var place = low
    while let next = first(from: place, before: high), next.time <= time {
      found = next
      place = next.offset + 1
    }
    return found
  }

  /// The file's last cluster.
  var last: Cluster? { last(notAfter: .max) }

  /// The first cluster that begins within some bytes.
  func first(from start: Int, before end: Int) -> Cluster? {
    var place = max(start, 0)
    let end = min(end, byteCount, place.addingReportingOverflow(Self.largest).partialValue)
    while place < end {
      let bytes = read(place, Self.chunkByteCount + Self.beginByteCount)
      let count = min(Self.chunkByteCount, bytes.count, end - place)
      if let found = Self.first(in: bytes, before: count) {
        return Cluster(offset: place + found.offset, time: found.time)
      }
      guard bytes.count > Self.chunkByteCount else { return nil }
      place += count
    }
    return nil
  }

  private static func first(in bytes: [UInt8], before end: Int) -> Cluster? {
    var start = 0
    while start < end, let step = bytes.span.bytes.extracting(start...).place(of: begin) {
      let place = start + step
      if place < end, let time = time(of: bytes, at: place) {
        return Cluster(offset: place, time: time)
      }
      start = place + 1
    }
    return nil
  }

  /// The time of a cluster that begins there; nil where none does.
  static func time(of bytes: [UInt8], at start: Int) -> Int64? {
    guard bytes.count - start >= 7, bytes[start..<start + 4].elementsEqual(mark) else { return nil }
    // The size's first byte says by its zeros how many follow it.
    let zeros = bytes[start + 4].leadingZeroBitCount
    guard zeros < 8 else { return nil }
    var place = start + 5 + zeros
    // A checksum may stand first: BF, 84, four bytes.
    if place + 1 < bytes.count, bytes[place] == 0xBF, bytes[place + 1] == 0x84 { place += 6 }
    guard place + 1 < bytes.count, bytes[place] == 0xE7 else { return nil }
    let count = Int(bytes[place + 1]) - 0x80
    guard (1...8).contains(count), bytes.count - place - 2 >= count else { return nil }
    let value = bytes[place + 2..<place + 2 + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(exactly: value)
  }
}

extension MatroskaClusters {
  /// Where a file says where its index is.
  private static let headerByteCount = 4096
  /// `SeekID`, `Cues`, `SeekPosition`.
  private static let indexMark: [UInt8] = [0x53, 0xAB, 0x84, 0x1C, 0x53, 0xBB, 0x6B, 0x53, 0xAC]

  /// The clusters of a Matroska file that has no index, or has lost it with its end; nil for others.
  init?(unindexed file: MovieInputFile, _ container: MovieContainer) {
    guard container == .matroska else { return nil }
    let header = file.bytes(at: 0, count: Self.headerByteCount)
    if let place = Self.indexPlace(in: header), place < file.byteCount { return nil }
    self.init(byteCount: file.byteCount) { file.bytes(at: $0, count: $1) }
  }

  /// Where a file's header says that its index is, from the first element's begin on; nil where it
  /// does not say so.
  static func indexPlace(in header: [UInt8]) -> Int? {
    let ends = header.indices.dropLast(indexMark.count)
    guard
      let mark = ends.first(where: { header[$0...].starts(with: indexMark) })
    else { return nil }
    let place = mark + indexMark.count
    guard header.indices.contains(place) else { return nil }
    let count = Int(header[place]) - 0x80
    guard (1...8).contains(count), header.count - place - 1 >= count else { return nil }
    let value = header[place + 1..<place + 1 + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(clamping: value)
  }
}
