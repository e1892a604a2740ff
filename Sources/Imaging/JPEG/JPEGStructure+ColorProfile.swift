import Foundation

/// Colour profiles in JPEG files: parts of up to 65 519 bytes in APP2 segments (ICC.1:2010, B.4).
extension JPEGStructure {
  private static let app2: UInt8 = 0xE2
  /// The letters, a zero, the part's number from 1, the number of parts.
  private static let headerByteCount = 14
  private static let partByteCount = 65_533 - headerByteCount

  static func isColorProfile(_ segment: Segment, in bytes: RawSpan) -> Bool {
    segment.marker == app2 && segment.content.count > headerByteCount
      && bytes.holds("ICC_PROFILE\0", at: segment.content.lowerBound)
  }

  /// The parts put together; nil where one is missing or the whole is no profile.
  func colorProfile(in bytes: RawSpan) -> ColorProfile? {
    let parts = segments.filter { Self.isColorProfile($0, in: bytes) }
    guard let first = parts.first,
      let count = bytes.byte(at: first.content.lowerBound + 13).map(Int.init), count > 0
    else { return nil }
    var profile = Data()
    for number in 1...count {
      guard
        let part = parts.first(where: {
          bytes.byte(at: $0.content.lowerBound + 12).map(Int.init) == number
        }), profile.count <= ColorProfile.maximumByteCount
      else { return nil }
      profile.append(part.content.dropFirst(Self.headerByteCount), of: bytes)
    }
    return ColorProfile(profile)
  }

  /// The segments that hold a profile, one after the other.
  static func segments(of profile: ColorProfile) -> Data {
    let count = (profile.data.count + partByteCount - 1) / partByteCount
    guard count <= 255 else { return Data() }
    var segments = Data()
    for number in 0..<count {
      let part = profile.data.dropFirst(number * partByteCount).prefix(partByteCount)
      let length = part.count + headerByteCount + 2
      segments += [0xFF, app2, UInt8(length >> 8), UInt8(length & 255)]
      segments += Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(count)]
      segments += part
    }
    return segments
  }
}
