import CLibAV
import Glibc
import LinuxSystem

/// A file's bytes as libavformat asks for them; the only way in which it gets any.
///
/// How many it may ask for is bounded: a file of a terabyte of zeros would keep it busy for hours.
/// The buffer is small, since indexes are spread over the file; packets are read past it.
final class LibAVInputBridge {
  private static let bufferByteCount = 1 << 12

  /// A byte of what was never written costs as much as so many others: the library looks through it
  /// byte by byte.
  private static let emptyPrice = 16

  private let file: MovieInputFile
  /// Where the file ends for the library.
  private let byteCount: Int
  private let cancellation: MovieCancellation
  private var position: Int64 = 0
  private var allowance = 0
  /// The file system's refusal that ended reading.
  private(set) var failure: FileFailure?
  /// Whether more was asked for than is allowed.
  private(set) var isExhausted = false
  /// Nothing where there is no memory.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  init(_ file: MovieInputFile, _ byteCount: Int, _ cancellation: MovieCancellation) {
    self.file = file
    self.byteCount = byteCount
    self.cancellation = cancellation
    guard let buffer = av_malloc(Self.bufferByteCount) else { return }
    let own = Unmanaged.passUnretained(self).toOpaque()
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferByteCount), 0, own,
      { own, room, count in
        guard let own, let room else { return ck_av_failed_read }
        return Unmanaged<LibAVInputBridge>.fromOpaque(own).takeUnretainedValue().read(
          UnsafeMutableRawBufferPointer(start: room, count: Int(count)))
      }, nil,
      { own, offset, whence in
        guard let own else { return -1 }
        return Unmanaged<LibAVInputBridge>.fromOpaque(own).takeUnretainedValue()
          .seek(offset, whence)
      })
    if context == nil { av_free(buffer) }
  }

  deinit {
    guard let opened = context else { return }
    // The library may have put another buffer in the place of ours.
    av_free(opened.pointee.buffer)
    avio_context_free(&context)
  }

  /// Allows so many bytes from now on, and forgets what went wrong before.
  func allow(_ byteCount: Int) {
    allowance = byteCount
    failure = nil
    isExhausted = false
    context?.pointee.error = 0
    context?.pointee.eof_reached = 0
  }

  private func read(_ room: UnsafeMutableRawBufferPointer) -> Int32 {
    if cancellation.isCancelled { return ck_av_cancelled }
    guard allowance >= room.count else {
      isExhausted = true
      return ck_av_failed_read
    }
    do throws(FileFailure) {
      let rest = Int(max(0, Int64(byteCount) - position))
      let part = UnsafeMutableRawBufferPointer(rebasing: room[..<min(room.count, rest)])
      let count = part.isEmpty ? 0 : try file.read(into: part, at: Int(position))
      guard count > 0 else { return LibAVCalls.endOfFile }
      allowance -= Self.isEmpty(room[..<count]) ? count * Self.emptyPrice : count
      position += Int64(count)
      return Int32(count)
    } catch {
      failure = error
      return ck_av_failed_read
    }
  }

  /// Whether bytes are all 0, as those of a file are that were never written.
  private static func isEmpty(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes)
    guard bytes.first == 0, let start = bytes.baseAddress else { return false }
    return memcmp(start, start + 1, bytes.count - 1) == 0
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let origin: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(byteCount)
    case SEEK_SET: origin = 0
    case SEEK_CUR: origin = position
    case SEEK_END: origin = Int64(byteCount)
    default: return -1
    }
    let (place, overflow) = origin.addingReportingOverflow(offset)
    guard !overflow, place >= 0 else { return -1 }
    position = place
    return place
  }
}

extension MovieInputFile {
  /// Reads from a place in the file.
  ///
  /// - Returns: How many bytes there were, 0 at the end.
  fileprivate func read(
    into room: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileFailure) -> Int {
    try file.read(into: room, at: offset, path)
  }

  /// Bytes from a place on; fewer at the end, and none where the file cannot be read.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      filled = (try? read(into: UnsafeMutableRawBufferPointer(room), at: offset)) ?? 0
    }
  }
}
