import Imaging
import Synchronization

/// Memory for converted frames, used again from frame to frame.
final class ConversionMemory: Sendable {
  private struct Kind: Hashable {
    let format: PixelFormat
    let width: Int
    let height: Int
  }

  /// Streams of all sessions share it; a pool keeps few blocks, and there are few pools.
  static let shared = ConversionMemory()
  private static let poolLimit = 6

  /// The one used last comes last.
  private let pools = Mutex<[(kind: Kind, pool: PixelPool)]>([])

  /// The pool for pictures of one format and size.
  func pool(for format: PixelFormat, width: Int, height: Int) -> PixelPool {
    let kind = Kind(format: format, width: width, height: height)
    return pools.withLock { pools in
      if let last = pools.last, last.kind == kind { return last.pool }
      let index = pools.firstIndex { $0.kind == kind }
      let entry = index.map { pools.remove(at: $0) } ?? (kind: kind, pool: PixelPool())
      if pools.count == Self.poolLimit { pools.removeFirst() }
      pools.append(entry)
      return entry.pool
    }
  }

  /// Lets go of what no picture uses: a camera has ended.
  func removeAll() {
    pools.withLock { $0 = [] }
  }
}
