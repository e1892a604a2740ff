import Glibc

/// Memory of a fake driver, which lives for as long as the driver or a mapping has it.
final class FakeMemory: Sendable {
  let address: UInt
  let length: Int

  init(length: Int) {
    self.length = length
    address = UInt(bitPattern: calloc(1, length))
  }

  deinit { free(bytes.baseAddress) }

  var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: UnsafeMutableRawPointer(bitPattern: address), count: length)
  }

  /// Writes the frame's number at the start, as far as there is room, and marks the end.
  func write(_ number: UInt32, offset: Int) {
    guard length >= 4 else { return }
    bytes.storeBytes(of: number, toByteOffset: min(offset, length - 4), as: UInt32.self)
  }
}
