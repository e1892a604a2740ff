import Foundation
import Synchronization

/// Memory for pictures of one size, used again when the last reader lets go of it.
///
/// A stream of pictures then costs no memory by picture. At most `spareCount` blocks wait; what is
/// given back beyond them, or is of another size, is freed.
package final class PixelPool: Sendable {
  private static let spareCount = 3
  /// Where blocks begin: at a multiple of this many bytes.
  static let alignment = 64
  /// The most bytes that a block may have: 65 535 rows of as many grey pixels.
  static let mostBytes = Int(clamping: UInt32.max)
  private let spares = Mutex<[Block]>([])

  package init() {}

  /// Memory that nobody reads yet; its contents are arbitrary.
  ///
  /// - Throws: `.tooLarge` where there is none.
  func block(byteCount: Int) throws(ImagingError) -> PooledBlock {
    let spare = spares.withLock { spares in
      spares.removeAll { $0.memory.count != byteCount }
      return spares.popLast()
    }
    guard let block = spare ?? Block(byteCount: byteCount) else {
      throw ImagingError(.tooLarge, "There is no memory for a picture of \(byteCount) bytes.")
    }
    return PooledBlock(block, of: self)
  }

  fileprivate func takeBack(_ block: Block) {
    spares.withLock { spares in
      if spares.count < Self.spareCount { spares.append(block) }
    }
  }

  /// Frees itself; handed from a picture to the pool and to the next picture.
  fileprivate final class Block: @unchecked Sendable {  // one owner at a time
    let memory: UnsafeMutableRawBufferPointer

    /// Nothing where there is no memory; Swift's own allocation ends the program then.
    init?(byteCount: Int) {
      // `aligned_alloc` wants a multiple of the alignment.
      let (rounded, overflow) = byteCount.addingReportingOverflow(PixelPool.alignment - 1)
      guard byteCount > 0, byteCount <= PixelPool.mostBytes, !overflow,
        let start = aligned_alloc(PixelPool.alignment, rounded & ~(PixelPool.alignment - 1))
      else { return nil }
      memory = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    deinit { free(memory.baseAddress) }
  }
}

/// A block on loan: filled once, then read; it goes back to its pool by itself.
final class PooledBlock: Sendable {
  private let block: PixelPool.Block
  private let pool: PixelPool

  fileprivate init(_ block: PixelPool.Block, of pool: PixelPool) {
    self.block = block
    self.pool = pool
  }

  deinit { pool.takeBack(block) }

  /// To be written before anyone else sees the block.
  var memory: UnsafeMutableRawBufferPointer { block.memory }

  /// Makes all bytes 0.
  func clear() {
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Lends some bytes for writing; those of a range out of bounds trap.
  func change<Failure: Error>(
    _ range: Range<Int>, _ body: (inout MutableRawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let part = UnsafeMutableRawBufferPointer(rebasing: memory[range])
    var bytes = part.mutableBytes
    try body(&bytes)
  }

  /// The block as a picture's bytes.
  var bytes: SharedBytes {
    SharedBytes(leasing: UnsafeRawBufferPointer(block.memory), owner: self)
  }
}
