import Synchronization

/// A converted picture's memory, which goes back to its pool on last release.
@safe package final class ConvertedPicture: @unchecked Sendable {  // written by its maker only
  let memory: UnsafeMutableRawBufferPointer
  private let pool: PicturePool

  fileprivate init(_ memory: UnsafeMutableRawBufferPointer, of pool: PicturePool) {
    unsafe self.memory = unsafe memory
    self.pool = pool
  }

  deinit {
    unsafe pool.giveBack(memory)
  }

  /// The picture, rows without a gap. Valid for as long as the object is referenced.
  package var unsafeBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(memory) }
}

/// Memory for pictures of one size, used again and again.
///
/// As many pictures exist as frames are held; of those that come back a few are kept.
final class PicturePool: Sendable {
  private static let spareLimit = 3
  private let byteCount: Int
  private let spares = Mutex<[Memory]>([])

  /// A pointer that is nobody's for now.
  @safe private struct Memory: @unchecked Sendable {  // owned by the list that it is in
    let bytes: UnsafeMutableRawBufferPointer
  }

  init(byteCount: Int) {
    self.byteCount = byteCount
  }

  deinit {
    for spare in spares.withLock({ $0 }) { unsafe spare.bytes.deallocate() }
  }

  /// A picture whose contents are whatever was there.
  func take() -> ConvertedPicture {
    let spare = spares.withLock { $0.popLast() }
    return unsafe ConvertedPicture(
      spare?.bytes ?? .allocate(byteCount: byteCount, alignment: 64), of: self)
  }

  fileprivate func giveBack(_ memory: UnsafeMutableRawBufferPointer) {
    let isKept = spares.withLock { spares in
      guard spares.count < Self.spareLimit else { return false }
      unsafe spares.append(Memory(bytes: memory))
      return true
    }
    if !isKept { unsafe memory.deallocate() }
  }
}
