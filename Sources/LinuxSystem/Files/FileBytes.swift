import Glibc

/// Bytes of a file in memory of `malloc`, freed with their owner.
///
/// Nothing is written to the memory before the file's bytes are.
@safe package struct FileBytes: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  package let byteCount: Int

  /// Memory for `count` bytes, of which `fill` says how many it has written.
  init(
    room count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int,
    for path: String
  ) throws(FileFailure) {
    guard let memory = unsafe malloc(max(count, 1)) else {
      throw FileFailure(call: "malloc", path: path, errno: .noMemory)
    }
    let room = unsafe UnsafeMutableRawBufferPointer(start: memory, count: count)
    do throws(FileFailure) {
      byteCount = unsafe try fill(room)
    } catch {
      unsafe free(memory)
      throw error
    }
    unsafe self.memory = memory
  }

  deinit { unsafe free(memory) }

  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let buffer = unsafe UnsafeRawBufferPointer(start: memory, count: byteCount)
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: buffer), borrowing: self)
    }
  }

  /// Hands the memory over; the caller frees it with `free`.
  @unsafe package consuming func take() -> UnsafeMutableRawBufferPointer {
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    discard self
    return unsafe buffer
  }
}
