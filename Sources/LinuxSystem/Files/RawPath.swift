/// A path as the kernel has it: any bytes but NUL, in UTF-8 or not.
package struct RawPath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ path: String) { bytes = Array(path.utf8) }

  /// The path as text; nil where it is not UTF-8: other calls would find another file, or none.
  package var string: String? { String(validating: bytes, as: UTF8.self) }

  /// The path for a person to read.
  package var shown: String { String(decoding: bytes, as: UTF8.self) }

  private static let slash = UInt8(ascii: "/")

  /// The last part.
  package var name: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// The folder that the last part lies in.
  package var folder: RawPath {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return RawPath(".") }
    return RawPath(bytes: slash == 0 ? [Self.slash] : Array(bytes[..<slash]))
  }

  package func appending(_ name: some Collection<UInt8>) -> RawPath {
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count + 1 + name.count)
    path += bytes
    if bytes.last != Self.slash { path.append(Self.slash) }
    path += name
    return RawPath(bytes: path)
  }

  package func appending(_ name: String) -> RawPath { appending(name.utf8) }

  /// The parts of the way from a folder to this path; nil where it does not lie in the folder, or
  /// the way goes up.
  package func parts(within folder: RawPath) -> [[UInt8]]? {
    guard lies(in: folder) else { return nil }
    let parts = bytes[folder.bytes.count...].split(separator: Self.slash).map(Array.init)
    let goesUp = parts.contains { $0 == [UInt8(ascii: ".")] || $0 == Array("..".utf8) }
    return parts.isEmpty || goesUp ? nil : parts
  }

  /// Whether the path is the folder's with something behind it; said of the texts alone.
  package func lies(in folder: RawPath) -> Bool {
    let count = folder.bytes.count
    guard bytes.count > count, bytes.starts(with: folder.bytes) else { return false }
    return folder.bytes.last == Self.slash || bytes[count] == Self.slash
  }

  /// Calls with the path as C has it. A path with a NUL in it is refused: C would take it for
  /// another one.
  @safe @discardableResult
  func call<Number: SignedInteger>(
    _ call: String, _ body: (UnsafePointer<CChar>) -> Number
  ) throws(FileFailure) -> Number {
    guard !bytes.contains(0) else {
      throw FileFailure(call: call, path: shown, errno: .invalidArgument)
    }
    return try FileFailure.call(call, shown) { unsafe withCharacters(body) }
  }

  /// The same with two paths, as of a file and what it is to become; errors name the second one.
  @safe
  func call<Number: SignedInteger>(
    _ call: String, to target: RawPath,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Number
  ) throws(FileFailure) {
    guard !bytes.contains(0) else {
      throw FileFailure(call: call, path: shown, errno: .invalidArgument)
    }
    try target.call(call) { target in
      unsafe withCharacters { path in unsafe body(path, target) }
    }
  }

  private func withCharacters<Number: SignedInteger>(
    _ body: (UnsafePointer<CChar>) -> Number
  ) -> Number {
    unsafe (bytes + [0]).withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe characters.baseAddress.map { unsafe body($0) } ?? -1
      }
    }
  }
}

// MARK: - Percent-encoding

extension RawPath {
  /// The path as addresses have it (RFC 3986): what is no letter, digit, slash or one of `-._~` is
  /// a percent sign and two digits.
  package var percentEncoded: String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      if Self.isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads what addresses have; nil where a percent sign is followed by something else than two
  /// digits, or stands for NUL.
  package init?(percentEncoded text: String) {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.utf8.allSatisfy(Self.isPlain),
        let value = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

// MARK: - Comparable

extension RawPath: Comparable {
  /// By their bytes, as `memcmp` and SQLite compare.
  package static func < (one: RawPath, other: RawPath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
