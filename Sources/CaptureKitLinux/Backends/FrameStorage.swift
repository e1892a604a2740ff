import Imaging

/// The memory blocks of one frame: one for most formats, and no array is made for it.
enum FrameStorage: Sendable {
  case one(SharedBytes)
  case several(SharedBytes, rest: [SharedBytes])

  var blocks: [SharedBytes] {
    switch self {
    case .one(let block): [block]
    case .several(let first, let rest): [first] + rest
    }
  }
}
