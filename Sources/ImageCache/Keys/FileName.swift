import Foundation

/// The name of the file in which a key's picture lies.
///
/// Each key has a name of its own, also on file systems that ignore case, and no name leaves its
/// folder or is hidden. It is the key as it stands where that is possible:
///
/// | key | name |
/// |---|---|
/// | `front-door_2` | `front-door_2.jpg` |
/// | `5F1D-AB` | `5+f1d-ab.jpg`: a plus changes between small and capital letters |
/// | `a/b é` | `a=2fb=20=c3=a9.jpg`: other bytes of UTF-8 in hexadecimal |
/// | 1000 letters | the first 120 bytes of such a name, a tilde and the key's SHA-256 |
///
/// Keys that Swift holds to be equal, such as é in one scalar or two, have the same name.
enum FileName {
  /// Names have 255 bytes on Linux; some file systems for other systems and encrypted ones have fewer.
  private static let maximumByteCount = 140
  private static let readableByteCount = 120

  static func name(forKey key: String) -> String {
    let bytes = Array(key.precomposedStringWithCanonicalMapping.utf8)
    let readable = encoded(bytes)
    guard readable.count > maximumByteCount else { return text(readable) + ".jpg" }
    return text(readable.prefix(readableByteCount)) + "~" + hexadecimal(SHA256.hash(bytes)) + ".jpg"
  }

  /// Reversible, and therefore different for different bytes.
  private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    // The empty key: no other one has a lone equals sign.
    guard !bytes.isEmpty else { return [UInt8(ascii: "=")] }
    var result: [UInt8] = []
    var isCapital = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): result.append(byte)
      // Not first: programs take such a name for an option or hide the file.
      case UInt8(ascii: "-") where !result.isEmpty, UInt8(ascii: ".") where !result.isEmpty:
        result.append(byte)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if isCapital != (byte & 0x20 == 0) {
          isCapital.toggle()
          result.append(UInt8(ascii: "+"))
        }
        result.append(byte | 0x20)
      default:
        result += [UInt8(ascii: "=")] + Array(hexadecimal([byte]).utf8)
      }
    }
    return result
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return text(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
