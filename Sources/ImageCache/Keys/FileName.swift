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
  /// Names have 255 bytes on Linux; some file systems for other systems and encrypted ones have
  /// fewer.
  private static let maximumByteCount = 140
  private static let readableByteCount = 120

  private static let ending = ".jpg"

  static func name(forKey key: String) -> String {
    // Only ASCII has one form in any case, and most keys are; normalizing costs more than the rest.
    let isASCII = key.utf8.allSatisfy { $0 < 0x80 }
    let key = isASCII ? key : key.precomposedStringWithCanonicalMapping
    var readable = encoded(key.utf8)
    if readable.count > maximumByteCount {
      readable.removeSubrange(readableByteCount...)
      readable.append(UInt8(ascii: "~"))
      for byte in SHA256.hash(key.utf8) {
        readable.append(digit(byte >> 4))
        readable.append(digit(byte & 15))
      }
    }
    readable.append(contentsOf: ending.utf8)
    return String(decoding: readable, as: UTF8.self)
  }

  /// Whether a file of this name is a key's picture.
  static func isPicture(_ name: String) -> Bool { isHashed(name) || key(of: name) != nil }

  /// Whether the key is longer than the name, which then does not say all of it.
  static func isHashed(_ name: String) -> Bool {
    name.utf8.count == readableByteCount + 1 + 64 + ending.utf8.count && name.hasSuffix(ending)
      && name.utf8.dropFirst(readableByteCount).first == UInt8(ascii: "~")
  }

  /// The key that has this name; nil for hashed names and those that no key has.
  static func key(of name: String) -> String? {
    guard name.hasSuffix(ending) else { return nil }
    let readable = name.utf8.dropLast(ending.utf8.count)
    guard let bytes = decoded(readable), let key = String(validating: bytes, as: UTF8.self),
      // There is one way to write a key; a name that is written otherwise is not its picture.
      Self.name(forKey: key) == name
    else { return nil }
    return key
  }

  /// The part of a file's name that stands for a word of our own, as short as a key may be.
  static func part(_ word: String) -> String { String(name(forKey: word).dropLast(ending.count)) }

  /// Reversible, and therefore different for different bytes.
  private static func encoded(_ bytes: String.UTF8View) -> [UInt8] {
    // The empty key: no other one has a lone equals sign.
    guard !bytes.isEmpty else { return [UInt8(ascii: "=")] }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 2 + 8)
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
        result.append(UInt8(ascii: "="))
        result.append(digit(byte >> 4))
        result.append(digit(byte & 15))
      }
    }
    return result
  }

  private static func decoded(_ name: some Collection<UInt8>) -> [UInt8]? {
    if name.elementsEqual([UInt8(ascii: "=")]) { return [] }
    var (result, isCapital, rest) = ([UInt8](), false, name[...])
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): isCapital.toggle()
      case UInt8(ascii: "a")...UInt8(ascii: "z"): result.append(isCapital ? byte & ~0x20 : byte)
      case UInt8(ascii: "="):
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value)
        else { return nil }
        result.append(high << 4 | low)
      default: result.append(byte)
      }
    }
    return result
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
