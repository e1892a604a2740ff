import Foundation

/// A chunk of text: a keyword, a zero, and text that may be compressed (ISO/IEC 15948, 11.3.4).
struct PNGText {
  private static let xmpKeyword = "XML:com.adobe.xmp"
  /// As ImageMagick and others keep EXIF, XMP and IPTC, in hexadecimal digits.
  private static let profilePrefix = "Raw profile type"
  let keyword: String
  /// nil where it cannot be read.
  let text: [UInt8]?

  /// Reads a chunk.
  ///
  /// - Parameters:
  ///   - chunk: A chunk of text.
  ///   - bytes: The file.
  ///   - inflated: Inflates the text where it is compressed.
  init(
    _ chunk: PNGStructure.Chunk, in bytes: RawSpan, inflatedBy inflated: (RawSpan) -> [UInt8]?
  ) {
    let content = bytes.extracting(chunk.content)
    let zero = content.place(of: "\0") ?? content.byteCount
    keyword = String(decoding: content.extracting(0..<zero).array, as: UTF8.self)
    guard zero < content.byteCount else {
      text = nil
      return
    }
    let rest = content.extracting(zero + 1..<content.byteCount)
    switch chunk.type {
    case PNGStructure.ChunkType.text: text = rest.array
    case PNGStructure.ChunkType.compressedText:
      text =
        rest.byteCount < 2
        ? nil : inflated(rest.extracting(1..<rest.byteCount))
    default: text = Self.internationalText(rest, inflated)
    }
  }

  /// A flag, a method, a language and a translated keyword with a zero each, and the text.
  private static func internationalText(
    _ rest: RawSpan, _ inflated: (RawSpan) -> [UInt8]?
  ) -> [UInt8]? {
    guard let flag = rest.byte(at: 0), rest.byteCount > 2 else { return nil }
    let afterFlags = rest.extracting(2..<rest.byteCount)
    guard let language = afterFlags.place(of: "\0") else { return nil }
    let afterLanguage = afterFlags.extracting(language + 1..<afterFlags.byteCount)
    guard let translation = afterLanguage.place(of: "\0") else { return nil }
    let text = afterLanguage.extracting(translation + 1..<afterLanguage.byteCount)
    return flag == 0 ? text.array : inflated(text)
  }

  var isXMP: Bool { keyword == Self.xmpKeyword }

  /// Whether the text says where a camera was, or nobody knows whether it does.
  var saysPlace: Bool {
    guard let text, !keyword.hasPrefix(Self.profilePrefix) else { return true }
    guard !isXMP else { return XMPPacket.has(.places, text) }
    return LocationWords.areIn(text, .text) || LocationWords.areIn(keyword)
      || XMPPacket.namesPlace(keyword)
      // XMP under another name.
      || text.contains(UInt8(ascii: "<")) && XMPPacket.has(.places, text)
  }

  func has(_ properties: XMPPacket.Properties) -> Bool {
    text.map { XMPPacket.has(properties, $0) } ?? true
  }

  /// The content of an XMP chunk that says this orientation; nil where it says none, or the same.
  func xmp(saying orientation: ImageOrientation) -> [UInt8]? {
    guard isXMP, var text, let place = XMPPacket.placeOfOrientation(in: text.span.bytes) else {
      return nil
    }
    let digit = UInt8(ascii: "0") + UInt8(orientation.rawValue)
    guard text[place] != digit else { return nil }
    text[place] = digit
    return Self.xmp(text)
  }

  private static func xmp(_ text: [UInt8]) -> [UInt8] {
    Array(xmpKeyword.utf8) + [0, 0, 0, 0, 0] + text
  }

  /// The content of an XMP chunk without some properties; nil where it has to go.
  func xmp(without properties: XMPPacket.Properties) -> [UInt8]? {
    text.flatMap { XMPPacket.without(properties, $0) }.map(Self.xmp)
  }
}
