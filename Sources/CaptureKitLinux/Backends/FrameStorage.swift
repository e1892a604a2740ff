import Imaging
import Video4Linux

/// The memory blocks of one frame: one for most formats, and no array is made for it.
enum FrameStorage: Sendable {
  case one(SharedBytes)
  case several(SharedBytes, rest: [SharedBytes])

  /// A driver's own buffer, which goes back to the driver with the last copy.
  init(leasing frame: LeasedFrame) {
    func block(_ plane: Int) -> SharedBytes {
      SharedBytes(leasing: frame.unsafeBytes(ofPlane: plane), owner: frame)
    }
    self =
      frame.planeCount > 1
      ? .several(block(0), rest: (1..<frame.planeCount).map(block)) : .one(block(0))
  }

  /// Blocks in the order of their planes, of which there is one at least.
  init(_ blocks: [SharedBytes]) {
    self = blocks.count > 1 ? .several(blocks[0], rest: Array(blocks.dropFirst())) : .one(blocks[0])
  }

  /// The same bytes in memory of their own.
  ///
  /// - Parameter owner: Held until the last byte is let go of.
  /// - Returns: The copy.
  func copied(for owner: any AnyObject & Sendable) -> FrameStorage {
    switch self {
    case .one(let block): .one(block.copied(for: owner))
    case .several(let first, let rest):
      .several(first.copied(for: owner), rest: rest.map { $0.copied(for: owner) })
    }
  }

  var blocks: [SharedBytes] {
    switch self {
    case .one(let block): [block]
    case .several(let first, let rest): [first] + rest
    }
  }
}
