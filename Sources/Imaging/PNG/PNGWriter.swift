import Foundation

/// Puts PNG files together of chunks.
struct PNGWriter {
  private(set) var data: Data

  /// Begins with the signature.
  init(byteCount: Int = 0) {
    data = Data(capacity: byteCount)
    data.append(contentsOf: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }

  /// Copies a chunk as it is.
  mutating func copy(_ chunk: PNGStructure.Chunk, of bytes: RawSpan) {
    data.append(chunk.range, of: bytes)
  }

  /// Writes a chunk with its checksum.
  mutating func write(_ type: UInt32, _ content: [UInt8]) {
    append(UInt32(clamping: content.count))
    let start = data.count
    append(type)
    data.append(contentsOf: content)
    let checksum = LibPNGBridge.checksum([UInt8](data[start...]))
    append(checksum)
  }

  private mutating func append(_ value: UInt32) {
    for shift in [24, 16, 8, 0] as [UInt32] {
      data.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
