#if HEIF
  import Foundation

  /// How large a HEIF file's compressed pictures are, as their own headers say it.
  ///
  /// A decoder takes memory for these, whatever size the file's boxes declare.
  enum HEIFCodedSizes {
    /// More descriptions of pictures than any camera or program writes; those behind are not looked
    /// at.
    private static let boxLimit = 1000
    /// More units within them, in all: boxes that only look like ones may each go over the rest of
    /// the file.
    private static let unitLimit = 16_384
    /// Bytes in which a sequence parameter set has come to its size: a hundred for profiles, levels
    /// and layers.
    private static let headerLimit = 256

    /// The one with the most pixels; nil where none is found.
    static func largest(in file: RawSpan) -> PixelSize? {
      let hevc = ends(of: Array("hvcC".utf8), in: file)
      // Most programs leave the box without the sequence header, which is where the picture itself
      // begins then: first in the media data, or behind the two bytes that begin a frame.
      var headers = ends(of: Array("av1C".utf8), in: file).map { $0 + 4 }
      if !headers.isEmpty {
        headers += ends(of: Array("mdat".utf8), in: file) + ends(of: [0x12, 0x00], in: file)
      }
      var (largest, unitsLeft) = (PixelSize?.none, unitLimit)
      for size in hevc.map({ hevcSize(file, from: $0, &unitsLeft) })
        + headers.map({ av1Size(file, from: $0) })
      {
        if let size, size.pixelCount > largest?.pixelCount ?? 0 { largest = size }
      }
      return largest
    }

    /// Where bytes end that name a box, or begin a frame.
    private static func ends(of name: [UInt8], in file: RawSpan) -> [Int] {
      var places: [Int] = []
      var start = 0
      while places.count < boxLimit,
        let found = LibHEIFBridge.place(of: name, in: file, from: start)
      {
        start = found + name.count
        places.append(start)
      }
      return places
    }

    private static func copy(_ range: Range<Int>, of file: RawSpan) -> Data {
      var data = Data()
      data.append(range, of: file)
      return data
    }

    // MARK: HEVC (ISO/IEC 14496-15, 8.3.3.1; ITU-T H.265, 7.3.2.2)

    private static func hevcSize(
      _ file: RawSpan, from start: Int, _ unitsLeft: inout Int
    ) -> PixelSize? {
      guard var arrays = file.byte(at: start + 22).map(Int.init) else { return nil }
      var (place, largest) = (start + 23, PixelSize(width: 0, height: 0))
      while arrays > 0 {
        arrays -= 1
        guard let kind = file.byte(at: place), var units = file.bigEndian16(at: place + 1) else {
          break
        }
        place += 3
        while units > 0, unitsLeft > 0, let count = file.bigEndian16(at: place),
          count <= file.byteCount - place - 2
        {
          units -= 1
          unitsLeft -= 1
          // 33 is a sequence parameter set; two bytes of unit header come first.
          if kind & 63 == 33, count > 2,
            let size = sequenceSize(
              copy(place + 4..<place + 2 + min(count, headerLimit), of: file)),
            size.pixelCount > largest.pixelCount
          {
            largest = size
          }
          place += 2 + count
        }
      }
      return largest.pixelCount > 0 ? largest : nil
    }

    private static func sequenceSize(_ unit: Data) -> PixelSize? {
      var bits = BitReader(withoutEmulation: unit)
      bits.skip(4)
      let layers = bits.number(3)
      bits.skip(1 + 96)
      let flags = (0..<layers).map { _ in (bits.number(1), bits.number(1)) }
      if layers > 0 { bits.skip(2 * (8 - layers)) }
      for (hasProfile, hasLevel) in flags { bits.skip(88 * hasProfile + 8 * hasLevel) }
      _ = bits.exponential()
      if bits.exponential() == 3 { bits.skip(1) }
      let (width, height) = (bits.exponential(), bits.exponential())
      return bits.isPastEnd ? nil : PixelSize(width: width, height: height)
    }

    // MARK: AV1 (AV1 codec ISO media file format binding, 2.3.3; AV1 specification, 5.5)

    /// Whether a frame, its header or metadata begins there, or the box ends: other bytes happen to
    /// look like a sequence header.
    private static func isUnit(_ file: RawSpan, at place: Int) -> Bool {
      guard let byte = file.byte(at: place) else { return false }
      return byte == 0 || byte & 0x85 == 0 && [3, 5, 6].contains(byte >> 3)
    }

    private static func av1Size(_ file: RawSpan, from start: Int) -> PixelSize? {
      guard start + 8 < file.byteCount else { return nil }
      var bits = BitReader(copy(start..<min(start + 64, file.byteCount), of: file))
      let header = bits.number(8)
      // A sequence header, with its length behind it.
      let length = bits.number(8)
      guard header == 0x0A, length < 64, isUnit(file, at: start + 2 + length) else { return nil }
      bits.skip(3 + 1)
      if bits.number(1) == 1 {
        bits.skip(5)
      } else {
        // Timing, and delays of display: no still picture has them.
        guard bits.number(1) == 0, bits.number(1) == 0 else { return nil }
        for _ in 0...bits.number(5) {
          bits.skip(12)
          if bits.number(5) > 7 { bits.skip(1) }
        }
      }
      let (across, down) = (bits.number(4) + 1, bits.number(4) + 1)
      let (width, height) = (bits.number(across) + 1, bits.number(down) + 1)
      return bits.isPastEnd ? nil : PixelSize(width: width, height: height)
    }
  }

  /// Bits from the highest of each byte on; 0 behind the end.
  private struct BitReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ data: Data) { bytes = Array(data) }

    /// Leaves out the 3 of each 0 0 3, which only keeps start codes from appearing.
    init(withoutEmulation data: Data) {
      var (kept, zeros) = ([UInt8](), 0)
      for byte in data {
        if zeros >= 2, byte == 3 {
          zeros = 0
          continue
        }
        zeros = byte == 0 ? zeros + 1 : 0
        kept.append(byte)
      }
      bytes = kept
    }

    var isPastEnd: Bool { place > bytes.count * 8 }

    mutating func skip(_ count: Int) { place += count }

    mutating func number(_ count: Int) -> Int {
      (0..<count).reduce(0) { value, _ in
        let bit = place / 8 < bytes.count ? Int(bytes[place / 8] >> (7 - place % 8)) & 1 : 0
        place += 1
        return value << 1 | bit
      }
    }

    /// As many bits behind a 1 as there are zeros before it.
    mutating func exponential() -> Int {
      var zeros = 0
      while zeros < 32, !isPastEnd, number(1) == 0 { zeros += 1 }
      return (1 << zeros) - 1 + number(zeros)
    }
  }
#endif
