package import Foundation

/// Reading of foreign bytes: what lies outside of them is nil, never a trap.
extension RawSpan {
  package func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < byteCount else { return nil }
    return unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// The 16-bit number whose high byte is at `offset`.
  package func bigEndian16(at offset: Int) -> Int? {
    guard offset >= 0, offset < byteCount - 1 else { return nil }
    return Int(UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// The 32-bit number whose high byte is at `offset`.
  package func bigEndian32(at offset: Int) -> Int? {
    guard offset >= 0, offset < byteCount - 3 else { return nil }
    return Int(UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// The bytes, copied.
  package var array: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

  /// Where these characters stand for the first time.
  package func place(of text: StaticString) -> Int? {
    withUnsafeBytes { bytes in
      text.withUTF8Buffer { text in
        guard let base = bytes.baseAddress, let letters = text.baseAddress, let first = text.first
        else { return nil }
        var start = 0
        // Most texts begin with a letter that is rare: the C library looks for that.
        while start <= bytes.count - text.count,
          let found = memchr(base + start, Int32(first), bytes.count - text.count + 1 - start)
        {
          let place = UnsafeRawPointer(found) - base
          if memcmp(base + place, letters, text.count) == 0 { return place }
          start = place + 1
        }
        return nil
      }
    }
  }

  package func contains(_ text: StaticString) -> Bool { place(of: text) != nil }

  /// Whether these characters or bytes stand at `offset`.
  package func holds(_ expected: StaticString, at offset: Int) -> Bool {
    expected.withUTF8Buffer { text in
      offset >= 0 && text.count <= byteCount && offset <= byteCount - text.count
        && text.indices.allSatisfy {
          unsafeLoad(fromByteOffset: offset &+ $0, as: UInt8.self) == text[$0]
        }
    }
  }
}

extension [UInt8] {
  /// Appends bytes of a span.
  mutating func append(_ range: Range<Int>, of bytes: RawSpan) {
    bytes.extracting(range).withUnsafeBytes { append(contentsOf: $0) }
  }
}

extension Data {
  /// Appends bytes of a span.
  package mutating func append(_ range: Range<Int>, of bytes: RawSpan) {
    bytes.extracting(range).withUnsafeBytes { append(contentsOf: $0) }
  }
}
