/// Frames and orders between the camera's thread and the writer's, bounded in frames and bytes;
/// pure.
///
/// Orders are never refused: there are no more of them than calls of the output.
struct FrameQueue<Frame, Order> {
  enum Item {
    case frame(Frame, byteCount: Int)
    case order(Order)
  }

  /// What is to become of a frame.
  enum Verdict: Hashable {
    /// The writer waits for it: it may have the driver's own buffer.
    case asItIs
    /// It has to wait, in memory of its own.
    case copied
    /// Too much waits already.
    case refused
  }

  let frameLimit: Int
  let byteLimit: Int
  private var items: [Item?] = []
  private var first = 0
  private(set) var frameCount = 0
  private(set) var byteCount = 0

  init(frameLimit: Int = 256, byteLimit: Int = 64 << 20) {
    self.frameLimit = frameLimit
    self.byteLimit = byteLimit
  }

  var isEmpty: Bool { first == items.count }

  /// Says what is to become of a frame; one that is not refused has its room from now on.
  ///
  /// - Parameters:
  ///   - byteCount: Its size.
  ///   - isIdle: Whether the writer has nothing to do.
  /// - Returns: How it is to be handed over, if it is.
  mutating func admit(_ byteCount: Int, isIdle: Bool) -> Verdict {
    let isNext = isIdle && frameCount == 0
    guard isNext || (frameCount < frameLimit && self.byteCount + byteCount <= byteLimit) else {
      return .refused
    }
    frameCount += 1
    self.byteCount += byteCount
    return isNext ? .asItIs : .copied
  }

  /// Takes a frame that was admitted.
  mutating func append(_ frame: Frame, byteCount: Int) {
    items.append(.frame(frame, byteCount: byteCount))
  }

  mutating func append(_ order: Order) { items.append(.order(order)) }

  mutating func next() -> Item? {
    guard first < items.count else { return nil }
    let item = items[first]
    items[first] = nil
    first += 1
    if first == items.count {
      items.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 64, first * 2 > items.count {
      items.removeFirst(first)
      first = 0
    }
    if case .frame(_, let bytes) = item {
      frameCount -= 1
      byteCount -= bytes
    }
    return item
  }
}
