import Imaging
import Video4Linux

/// The memory blocks of one frame: one for most formats, and no array is made for it.
enum FrameStorage: Sendable {
  case one(SharedBytes)
  case several(SharedBytes, rest: [SharedBytes])
  /// Of a format that has to be converted before it can be looked at.
  case convertible(SharedBytes, FrameConversion)

  /// A driver's own buffer, which goes back to the driver with the last copy.
  init(leasing frame: LeasedFrame, converter: FrameConverter? = nil) {
    func block(_ plane: Int) -> SharedBytes {
      SharedBytes(leasing: frame.unsafeBytes(ofPlane: plane), owner: frame)
    }
    if let converter {
      self = .convertible(block(0), FrameConversion(by: converter))
    } else {
      self =
        frame.planeCount > 1
        ? .several(block(0), rest: (1..<frame.planeCount).map(block)) : .one(block(0))
    }
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
    case .convertible(let block, let conversion):
      .convertible(block.copied(for: owner), conversion)
    }
  }

  /// The same bytes in memory that no driver and no count of copies waits for.
  var detached: FrameStorage {
    switch self {
    case .one(let block): .one(block.detached)
    case .several(let first, let rest): .several(first.detached, rest: rest.map(\.detached))
    case .convertible(let block, let conversion): .convertible(block.detached, conversion)
    }
  }

  var first: SharedBytes {
    switch self {
    case .one(let block), .several(let block, _), .convertible(let block, _): block
    }
  }

  var blocks: [SharedBytes] {
    switch self {
    case .one(let block): [block]
    case .several(let first, let rest): [first] + rest
    case .convertible(let block, _): [block]
    }
  }

  /// What makes a picture of the frame where it cannot be read as it is.
  var conversion: FrameConversion? {
    if case .convertible(_, let conversion) = self { conversion } else { nil }
  }
}
