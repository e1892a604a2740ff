import Imaging

/// What a frame of H.264 with start codes says of itself (ITU-T H.264, annex B); pure.
///
/// Looks no further than to the first slice, before which parameter sets stand.
struct H264AccessUnit {
  /// Whether its first slice is one of an IDR picture: decoding can begin here.
  private(set) var isKey = false
  /// Sequence parameter sets, each without its start code.
  private(set) var sequenceSets: [Range<Int>] = []
  /// Picture parameter sets, each without its start code.
  private(set) var pictureSets: [Range<Int>] = []
  /// Whether there is a slice at all.
  private(set) var hasSlice = false

  /// No encoder writes so many; what is beyond is noise.
  private static let unitLimit = 64

  init(parsing bytes: RawSpan) {
    var start = Self.unit(in: bytes, from: 0)
    for _ in 0..<Self.unitLimit {
      guard let unit = start, let type = bytes.byte(at: unit).map({ $0 & 31 }) else { return }
      switch type {
      case 1, 5:
        isKey = type == 5
        hasSlice = true
        return
      case 7, 8:
        start = Self.unit(in: bytes, from: unit)
        let range = unit..<Self.end(of: unit, before: start, in: bytes)
        if type == 7 { sequenceSets.append(range) } else { pictureSets.append(range) }
      default: start = Self.unit(in: bytes, from: unit)
      }
    }
  }

  var hasParameterSets: Bool { !sequenceSets.isEmpty && !pictureSets.isEmpty }

  /// The parameter sets, each with a start code.
  func parameterSets(in bytes: RawSpan) -> [UInt8] {
    (sequenceSets + pictureSets).reduce(into: []) { sets, range in
      sets += [0, 0, 0, 1]
      for place in range { sets.append(bytes.byte(at: place) ?? 0) }
    }
  }

  /// The place behind the next start code.
  private static func unit(in bytes: RawSpan, from place: Int) -> Int? {
    var zeros = 0
    for index in place..<max(bytes.byteCount, place) {
      let byte = bytes.byte(at: index)
      if byte == 0 {
        zeros += 1
      } else if byte == 1, zeros >= 2 {
        return index + 1
      } else {
        zeros = 0
      }
    }
    return nil
  }

  /// A unit ends before the zeros of the next start code.
  private static func end(of unit: Int, before next: Int?, in bytes: RawSpan) -> Int {
    var end = next.map { $0 - 1 } ?? bytes.byteCount
    while end > unit + 1, bytes.byte(at: end - 1) == 0 { end -= 1 }
    return end
  }
}
