import Foundation

/// The orientation that an XMP packet says beside EXIF; some programs believe it first.
enum XMPOrientation {
  /// Changes the orientation of a packet in place, a digit for a digit; nothing where there is none.
  ///
  /// - Parameters:
  ///   - orientation: What the packet is to say.
  ///   - bytes: Bytes that end with an application segment.
  ///   - start: Where the segment begins.
  static func set(_ orientation: ImageOrientation, in bytes: inout Data, from start: Int) {
    let name = Data("tiff:Orientation".utf8)
    guard bytes.bytes.holds("http://ns.adobe.com/xap/1.0/\0", at: start + 4),
      let found = bytes.range(of: name, in: start..<bytes.count)
    else { return }
    // As an attribute, ="6", or as an element, >6<.
    let rest = bytes[found.upperBound..<min(found.upperBound + 8, bytes.count)]
    for place in rest.indices.dropLast(2) {
      let isQuoted = [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place])
      guard isQuoted || bytes[place] == UInt8(ascii: ">") else { continue }
      let digits = UInt8(ascii: "1")...UInt8(ascii: "8")
      let closing = isQuoted ? bytes[place] : UInt8(ascii: "<")
      if digits.contains(bytes[place + 1]), bytes[place + 2] == closing {
        bytes[place + 1] = UInt8(ascii: "0") + UInt8(orientation.rawValue)
      }
      return
    }
  }
}
