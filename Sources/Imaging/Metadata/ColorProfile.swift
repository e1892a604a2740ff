public import Foundation

/// How a picture's numbers stand for colours: an ICC profile (ISO 15076-1).
public struct ColorProfile: Hashable, Sendable {
  /// The profile's bytes.
  public let data: Data

  /// The most bytes that a profile may have: twice as many as printers' have.
  public static let maximumByteCount = 8 << 20

  /// Takes a profile; nil where the bytes are none, by their header.
  ///
  /// - Parameter data: The bytes of a profile; those behind its end are left out.
  public init?(_ data: Data) {
    let bytes = data.bytes
    guard data.count <= Self.maximumByteCount, let length = bytes.bigEndian32(at: 0),
      length >= 132, length <= data.count, bytes.holds("acsp", at: 36)
    else { return nil }
    self.data = length == data.count ? data : Data(data.prefix(length))
  }

  /// What the profile's numbers are: `"RGB"`, `"GRAY"`, `"CMYK"`, `"Lab"`.
  public var colorSpace: String {
    String(decoding: data.dropFirst(16).prefix(4), as: UTF8.self)
      .trimmingCharacters(in: .whitespaces)
  }

  /// The profile's name as it is shown to people, `"Display P3"`; nil where it has none.
  public var name: String? {
    guard let tag = tag("desc") else { return nil }
    let bytes = data.bytes
    let start = tag.lowerBound
    if bytes.holds("desc", at: start) {
      // Version 2: the number of ASCII characters, then these.
      guard let count = bytes.bigEndian32(at: start + 8), count <= tag.count - 12 else {
        return nil
      }
      return Self.text(data.dropFirst(start + 12).prefix(count).prefix { $0 != 0 }, .utf8)
    }
    // Version 4: records of language, country, length and place, then UTF-16.
    guard bytes.holds("mluc", at: start), let count = bytes.bigEndian32(at: start + 20),
      let place = bytes.bigEndian32(at: start + 24), count <= tag.count, place <= tag.count - count
    else { return nil }
    return Self.text(data.dropFirst(start + place).prefix(count), .utf16BigEndian)
  }

  private static func text(_ bytes: Data, _ encoding: String.Encoding) -> String? {
    String(data: Data(bytes), encoding: encoding).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Where a tag's element lies.
  private func tag(_ signature: StaticString) -> Range<Int>? {
    let bytes = data.bytes
    let count = min(bytes.bigEndian32(at: 128) ?? 0, 200)
    for place in stride(from: 132, to: 132 + 12 * count, by: 12)
    where bytes.holds(signature, at: place) {
      guard let start = bytes.bigEndian32(at: place + 4),
        let count = bytes.bigEndian32(at: place + 8), start <= data.count,
        count <= data.count - start
      else { return nil }
      return start..<start + count
    }
    return nil
  }
}

// MARK: - CustomStringConvertible

extension ColorProfile: CustomStringConvertible {
  /// Its name, or what its numbers are.
  public var description: String { name ?? "\(colorSpace) profile" }
}
