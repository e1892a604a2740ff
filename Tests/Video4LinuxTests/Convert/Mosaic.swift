import Video4Linux

/// Makes sensor mosaics of a picture that is known, in any order and packing.
struct Mosaic {
  /// Red, green and blue of a pixel, with eight bits.
  let colour: @Sendable (_ x: Int, _ y: Int) -> [UInt8]
  let width: Int
  let height: Int

  /// The samples in rows, a byte each.
  ///
  /// - Parameter order: The colours of the first two pixels, then of those below them: `RGGB`.
  /// - Returns: The rows.
  func samples(_ order: String) -> [[UInt8]] {
    let channels = order.map { $0 == "R" ? 0 : $0 == "G" ? 1 : 2 }
    return (0..<height).map { y in
      (0..<width).map { x in colour(x, y)[channels[y % 2 * 2 + x % 2]] }
    }
  }

  /// A frame's bytes, each row with a gap behind it.
  func frame(_ order: String, _ packing: SamplePacking, gap: Int = 0) -> [UInt8] {
    Self.frame(samples(order), packing, gap: gap)
  }

  static func frame(_ rows: [[UInt8]], _ packing: SamplePacking, gap: Int = 0) -> [UInt8] {
    rows.flatMap { packed($0, packing) + [UInt8](repeating: 0xEE, count: gap) }
  }

  /// One row as a sensor would send it, the bits that are cut off all set.
  private static func packed(_ row: [UInt8], _ packing: SamplePacking) -> [UInt8] {
    switch packing {
    case .bytes: return row
    case .words(let bits, let isBigEndian):
      return row.flatMap { sample -> [UInt8] in
        let word = UInt16(sample) << UInt16(bits - 8) | (1 << UInt16(bits - 8) - 1)
        let (high, low) = (UInt8(word >> 8), UInt8(word & 0xFF))
        return isBigEndian ? [high, low] : [low, high]
      }
    case .groups(let samples, let bytes):
      return stride(from: 0, to: row.count, by: samples).flatMap { start -> [UInt8] in
        let group = Array(row[start..<min(start + samples, row.count)])
        return group + [UInt8](repeating: 0xFF, count: bytes - group.count)
      }
    case .bitStream(let bits):
      var (bytes, buffer, count) = ([UInt8](), UInt32(0), 0)
      for sample in row {
        buffer = buffer << UInt32(bits) | UInt32(sample) << UInt32(bits - 8)
        count += bits
        while count >= 8 {
          bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(count - 8)))
          count -= 8
        }
      }
      return count == 0 ? bytes : bytes + [UInt8(truncatingIfNeeded: buffer << UInt32(8 - count))]
    }
  }
}

extension FourCC {
  init(_ name: String) {
    self.init(rawValue: name.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }
}
