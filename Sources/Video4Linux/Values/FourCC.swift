/// A pixel format's four letters, as of the kernel's `V4L2_PIX_FMT_*`.
package struct FourCC: RawRepresentable, Hashable, Sendable {
  /// The first letter in the lowest byte; the highest bit says big-endian.
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package init(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ c: Unicode.Scalar, _ d: Unicode.Scalar) {
    rawValue = [d, c, b, a].reduce(0) { $0 << 8 | $1.value & 0x7f }
  }
}

// MARK: - The formats that this package names

extension FourCC {
  /// Motion JPEG; its Huffman tables may be missing.
  package static let mjpg = FourCC("M", "J", "P", "G")
  package static let jpeg = FourCC("J", "P", "E", "G")
  package static let yuyv = FourCC("Y", "U", "Y", "V")
  package static let uyvy = FourCC("U", "Y", "V", "Y")
  package static let nv12 = FourCC("N", "V", "1", "2")
  /// NV12 in two planes of their own.
  package static let nm12 = FourCC("N", "M", "1", "2")
  package static let yu12 = FourCC("Y", "U", "1", "2")
  package static let grey = FourCC("G", "R", "E", "Y")
  package static let rgb24 = FourCC("R", "G", "B", "3")
  package static let bgr24 = FourCC("B", "G", "R", "3")

  /// Whether drivers use the two names for the same bytes (some say JPEG where others say MJPG).
  package func isEquivalent(to other: FourCC) -> Bool {
    let jpegs: [FourCC] = [.mjpg, .jpeg]
    return self == other || (jpegs.contains(self) && jpegs.contains(other))
  }

  private var letters: [Unicode.Scalar] {
    [0, 8, 16, 24].map { Unicode.Scalar(UInt8(truncatingIfNeeded: rawValue >> $0) & 0x7f) }
  }
}

// MARK: - CustomStringConvertible

extension FourCC: CustomStringConvertible {
  /// The letters without trailing blanks, then `-BE` for a big-endian format.
  package var description: String {
    let text = letters.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : Character($0) }
    let trimmed = String(text.reversed().drop { $0 == " " }.reversed())
    return rawValue & 0x8000_0000 == 0 ? trimmed : trimmed + "-BE"
  }
}
