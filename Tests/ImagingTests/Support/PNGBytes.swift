import Foundation

@testable import Imaging

/// Makes PNG files of given samples, and takes files apart, without the code under test.
struct PNGBytes {
  var width: Int
  var height: Int
  /// 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha.
  var colorType: UInt8
  var depth: Int
  var isInterlaced = false
  /// Chunks between header and samples.
  var chunks: [(type: String, content: [UInt8])] = []
  /// A sample of a pixel, by column, row and channel.
  var sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int

  static let kinds: [(colorType: UInt8, depth: Int)] =
    [1, 2, 4, 8, 16].map { (0, $0) } + [8, 16].map { (2, $0) } + [1, 2, 4, 8].map { (3, $0) }
    + [8, 16].map { (4, $0) } + [8, 16].map { (6, $0) }

  static func channelCount(of colorType: UInt8) -> Int { [1, 0, 3, 1, 2, 0, 4][Int(colorType)] }

  var data: Data {
    let header =
      Self.bigEndian(width) + Self.bigEndian(height)
      + [UInt8(depth), colorType, 0, 0, isInterlaced ? 1 : 0]
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Self.chunk("IHDR", header)
      + chunks.reduce(Data()) { $0 + Self.chunk($1.type, $1.content) }
      + Self.chunk("IDAT", Self.stored(samples)) + Self.chunk("IEND", [])
  }

  /// Rows, each after the byte that names its filter, which is none.
  private var samples: [UInt8] {
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    return passes.flatMap { left, top, across, down -> [UInt8] in
      let columns = Array(stride(from: left, to: width, by: across))
      guard !columns.isEmpty else { return [] }
      return stride(from: top, to: height, by: down).flatMap { [0] + row($0, columns) }
    }
  }

  private func row(_ y: Int, _ columns: [Int]) -> [UInt8] {
    var (bytes, bits, count) = ([UInt8](), 0, 0)
    for x in columns {
      for channel in 0..<Self.channelCount(of: colorType) {
        bits = bits << depth | sample(x, y, channel)
        count += depth
        while count >= 8 {
          bytes.append(UInt8(truncatingIfNeeded: bits >> (count - 8)))
          count -= 8
        }
        bits &= 0xFF
      }
    }
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
    return bytes
  }

  static func bigEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> Data {
    let body = Array(type.utf8) + content
    return Data(bigEndian(content.count) + body + bigEndian(Int(checksum(body))))
  }

  /// zlib's format without compression (RFC 1950, RFC 1951 3.2.4).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      for value in [length, ~length] { result += [UInt8(value & 255), UInt8(value >> 8)] }
      result += block
    } while !rest.isEmpty
    let sums = bytes.reduce((1, 0)) { sums, byte in
      let first = (sums.0 + Int(byte)) % 65_521
      return (first, (sums.1 + first) % 65_521)
    }
    return result + bigEndian(sums.1 << 16 | sums.0)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}

extension Data {
  /// Types and contents of a PNG file's chunks.
  var pngChunks: [(type: String, content: Data)] {
    var chunks: [(type: String, content: Data)] = []
    var place = 8
    while place + 12 <= count {
      let length = self[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      guard place + 12 + length <= count else { break }
      chunks.append(
        (
          String(decoding: self[place + 4..<place + 8], as: UTF8.self),
          Data(self[place + 8..<place + 8 + length])
        ))
      place += 12 + length
    }
    return chunks
  }

  func pngContent(of type: String) -> Data? { pngChunks.first { $0.type == type }?.content }
}
