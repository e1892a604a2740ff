/// Which keys were thrown out lately: a key that is set again soon after was thrown out too early.
///
/// Remembers as many evictions of each queue as there are entries, in four bytes each, so that the
/// table stays in the processor's cache: 27 bits of a hash and an age. A wrong answer costs nothing
/// but a worse guess.
struct Regrets: Sendable {
  private static let ways = 4
  /// Ages are counted modulo 16; up to 8 are recent.
  private static let ages: UInt32 = 16
  private static let recent: UInt32 = 8

  private static let queueBit: UInt32 = 1 << 31
  private static let pieceBits: UInt32 = (1 << 27) - 1

  /// A queue's bit, an age and a piece of the tag, which is never 0; 0 where there is nothing.
  private var entries: [UInt32] = []
  private var newcomers = Age()
  private var regulars = Age()

  /// The time of a queue, which goes on by evictions.
  private struct Age: Sendable {
    var now: UInt32 = 0
    var evictions = 0

    mutating func tick(among count: Int) {
      evictions += 1
      guard evictions * Int(recent) >= count else { return }
      now = (now + 1) % ages
      evictions = 0
    }
  }

  /// Notes an eviction.
  /// - Parameters:
  ///   - tag: The key's.
  ///   - queue: Where it was thrown out.
  ///   - count: How many entries there are: as many evictions of a queue are remembered.
  mutating func note(_ tag: UInt32, _ queue: EvictionOrder.Queue, among count: Int) {
    makeRoom(for: count)
    if queue == .newcomers { newcomers.tick(among: count) } else { regulars.tick(among: count) }
    let now = queue == .newcomers ? newcomers.now : Self.queueBit | regulars.now
    let start = start(of: tag)
    var oldest = (index: start, age: UInt32(0))
    for index in start..<start + Self.ways {
      let age = age(of: entries[index])
      if age > oldest.age { oldest = (index, age) }
    }
    entries[oldest.index] = now & Self.queueBit | (now & 15) << 27 | Self.piece(of: tag)
  }

  /// Where a key was thrown out, if that was lately; once.
  mutating func take(_ tag: UInt32) -> EvictionOrder.Queue? {
    guard !entries.isEmpty else { return nil }
    let (start, piece) = (start(of: tag), Self.piece(of: tag))
    for index in start..<start + Self.ways where entries[index] & Self.pieceBits == piece {
      let entry = entries[index]
      guard age(of: entry) <= Self.recent else { continue }
      entries[index] = 0
      return entry & Self.queueBit == 0 ? .newcomers : .regulars
    }
    return nil
  }

  private func start(of tag: UInt32) -> Int {
    (Int(tag) & (entries.count / Self.ways - 1)) * Self.ways
  }

  /// The bits that do not choose the set, which are the lowest.
  private static func piece(of tag: UInt32) -> UInt32 { max(1, tag >> 5) }

  private func age(of entry: UInt32) -> UInt32 {
    guard entry != 0 else { return .max }
    let now = entry & Self.queueBit == 0 ? newcomers.now : regulars.now
    return (now &- (entry >> 27 & 15)) % Self.ages
  }

  private mutating func makeRoom(for count: Int) {
    guard entries.count < count * 2 || entries.isEmpty else { return }
    var size = 16
    while size < count * 2 { size *= 2 }
    entries = [UInt32](repeating: 0, count: size)
  }
}
