import Synchronization

/// Memory for pictures of one size, used again when the last reader lets go of it.
///
/// A stream of pictures then costs no memory by picture. At most `spareCount` blocks wait; what is
/// given back beyond them, or is of another size, is freed.
package final class PixelPool: Sendable {
  private static let spareCount = 3
  private let spares = Mutex<[Block]>([])

  package init() {}

  /// Memory that nobody reads yet; its contents are arbitrary.
  func block(byteCount: Int) -> PooledBlock {
    let spare = spares.withLock { spares in
      spares.removeAll { $0.memory.count != byteCount }
      return spares.popLast()
    }
    return PooledBlock(spare ?? Block(byteCount: byteCount), of: self)
  }

  fileprivate func takeBack(_ block: Block) {
    spares.withLock { spares in
      if spares.count < Self.spareCount { spares.append(block) }
    }
  }

  /// Frees itself; handed from a picture to the pool and to the next picture.
  fileprivate final class Block: @unchecked Sendable {  // one owner at a time
    let memory: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
      memory = .allocate(byteCount: byteCount, alignment: 64)
    }

    deinit { memory.deallocate() }
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

  /// The block as a picture's bytes.
  var bytes: SharedBytes {
    SharedBytes(leasing: UnsafeRawBufferPointer(block.memory), owner: self)
  }
}
