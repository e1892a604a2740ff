import Imaging

/// What is whole of a file whose writing was interrupted, as far as the library cannot tell; pure
/// but for the reading.
struct InterruptedFile {
  /// Boxes or chunks that are looked at: fragments of half a second make some ten thousands in hours.
  private static let limit = 1 << 20

  let byteCount: Int
  let read: (_ offset: Int, _ count: Int) -> [UInt8]

  /// Where a fragment's description begins that is not whole, with which the library opens nothing
  /// of an MP4 or QuickTime file (ISO 14496-12); nil where there is none.
  var brokenFragmentPlace: Int? {
    var place = 0
    for _ in 0..<Self.limit {
      let begin = read(place, 16)
      let bytes = begin.span.bytes
      guard let short = bytes.bigEndian32(at: 0) else { return nil }
      var size = short
      if short == 1 {
        guard let high = bytes.bigEndian32(at: 8), high < 1 << 30,
          let low = bytes.bigEndian32(at: 12)
        else { return nil }
        size = high << 32 | low
      }
      // A box of size 0 goes on to the end.
      guard size >= 8 else { return nil }
      if size > byteCount - place { return bytes.holds("moof", at: 4) ? place : nil }
      place += size
    }
    return nil
  }

  /// Whether an AVI file has its index, which is written at the end of a recording; what its header
  /// says of lengths was written before the first frame where it has none.
  var hasAVIIndex: Bool {
    // `RIFF`, the size, `AVI `; then lists and chunks with an even number of bytes.
    var place = 12
    for _ in 0..<64 {
      let begin = read(place, 8)
      let bytes = begin.span.bytes
      guard bytes.byteCount == 8, let size = bytes.littleEndian32(at: 4) else { return false }
      if bytes.holds("idx1", at: 0) { return true }
      place += 8 + size + size % 2
      guard place < byteCount else { return false }
    }
    return false
  }
}

extension RawSpan {
  fileprivate func littleEndian32(at offset: Int) -> Int? {
    bigEndian32(at: offset).map { Int(UInt32(truncatingIfNeeded: $0).byteSwapped) }
  }
}

extension InterruptedFile {
  init(_ file: MovieInputFile) {
    self.init(byteCount: file.byteCount) { file.bytes(at: $0, count: $1) }
  }
}
