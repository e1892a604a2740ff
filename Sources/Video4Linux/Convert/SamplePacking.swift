/// How samples of more than eight bits, or just eight, follow each other in a row.
package enum SamplePacking: Hashable, Sendable {
  /// A byte each.
  case bytes
  /// Two bytes each, of which the lower bits are used.
  case words(bits: Int, isBigEndian: Bool = false)
  /// MIPI's: some bytes with the upper eight bits of a sample each, then their lower bits together.
  case groups(samples: Int, bytes: Int)
  /// One after the other without a gap, the upper bits first.
  case bitStream(bits: Int)

  /// Bytes that a row's samples take.
  package func rowByteCount(width: Int) -> Int {
    switch self {
    case .bytes: width
    case .words: width * 2
    case .groups(let samples, let bytes): (width + samples - 1) / samples * bytes
    case .bitStream(let bits): (width * bits + 7) / 8
    }
  }

  /// Writes the upper eight bits of each of a row's samples.
  ///
  /// - Parameters:
  ///   - row: At least ``rowByteCount(width:)`` bytes for as many samples as there is room for.
  ///   - output: A byte for each sample.
  func shorten(_ row: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
    switch self {
    case .bytes:
      unsafe output.copyMemory(from: UnsafeRawBufferPointer(rebasing: row[..<output.count]))
    case .words(let bits, let isBigEndian):
      let (high, low) = isBigEndian ? (0, 1) : (1, 0)
      for index in output.indices {
        let word = unsafe UInt16(row[2 * index + high]) << 8 | UInt16(row[2 * index + low])
        // A sample of more bits than the format has is as bright as can be.
        unsafe output[index] = UInt8(clamping: word >> UInt16(bits - 8))
      }
    case .groups(let samples, let bytes):
      for index in output.indices {
        unsafe output[index] = row[index / samples * bytes + index % samples]
      }
    case .bitStream(let bits):
      for index in output.indices {
        let (byte, shift) = (index * bits / 8, index * bits % 8)
        let next = unsafe shift == 0 ? 0 : UInt16(row[byte + 1])
        unsafe output[index] = UInt8(
          truncatingIfNeeded: (UInt16(row[byte]) << 8 | next) >> UInt16(8 - shift))
      }
    }
  }
}
