/// Decides which entry of a cache goes next. Pure: it knows numbers and costs, no keys and no
/// values.
///
/// Two queues, of newcomers and of regulars, the oldest in front. A new entry is a newcomer.
/// Whoever needs room looks at the entry in front of a queue: was it used since it was last looked
/// at, it becomes a regular and goes to the end; otherwise it goes. Uses are noted where the values
/// are and change nothing here, so reading never waits for the order. Newcomers go first while they
/// have more than their share of the room: a scan of thousands of entries passes through it and
/// leaves the regulars alone. The share adapts: a newcomer thrown out that comes back soon widens
/// it, a regular narrows it, and both come back as regulars (see ``Regrets``).
///
/// Measured with the other policies in `Tests/ImageCacheTests/Memory`: on recurring keys (Zipf 0.9,
/// room for a tenth) 57 % are found against 51 % of an exact LRU, on lists that are scrolled the
/// same as with LRU but for half a percent, and of a hot set of nine tenths of the room a scan of
/// ten times the room leaves all. Plain SIEVE and CLOCK lose tens of percent on scrolled lists,
/// S3-FIFO and segmented LRU with a fixed share where few large pictures fit.
struct EvictionOrder: Sendable {
  enum Queue: Int, Sendable {
    case newcomers, regulars
  }

  /// Where an entry is.
  struct Place: Hashable, Sendable {
    var shelf: UInt8
    var tag: UInt32
  }

  /// An entry; linked to its neighbours, or to the next one in the list of unused nodes.
  private struct Node: Sendable {
    var cost: Int
    var place: Place
    var older: Int32
    var newer: Int32
    var queue: Queue
  }

  private struct Line: Sendable {
    var oldest: Int32 = -1
    var newest: Int32 = -1
    var count = 0
    /// Wide enough for any number of costs, so that no sum is ever wrong.
    var cost: Int128 = 0
  }

  /// All of the room, as a share of it.
  static let wholeShare: Int128 = 1 << 30
  /// What newcomers always have, so that the share can grow again.
  static let smallestShare = wholeShare / 10

  private var nodes: [Node] = []
  private var firstUnused: Int32 = -1
  private var newcomers = Line()
  private var regulars = Line()
  private var regrets = Regrets()
  /// The newcomers' part of the room.
  private(set) var share = Self.smallestShare

  var count: Int { newcomers.count + regulars.count }
  var cost: Int128 { newcomers.cost + regulars.cost }

  func place(of node: Int32) -> Place { nodes[Int(node)].place }
  func queue(of node: Int32) -> Queue { nodes[Int(node)].queue }

  // MARK: - Entries that come and go

  /// Adds an entry at the end.
  /// - Parameters:
  ///   - place: Where it is.
  ///   - cost: Not negative.
  ///   - queue: Nil for a key that was not here.
  /// - Returns: Its node, by which it is known here.
  mutating func insert(_ place: Place, cost: Int, in queue: Queue? = nil) -> Int32 {
    let queue = queue ?? queueOfNewKey(place.tag)
    let node = Node(cost: cost, place: place, older: -1, newer: -1, queue: queue)
    let index: Int32
    if firstUnused >= 0 {
      index = firstUnused
      firstUnused = nodes[Int(index)].newer
      nodes[Int(index)] = node
    } else {
      index = Int32(truncatingIfNeeded: nodes.count)
      nodes.append(node)
    }
    link(index)
    return index
  }

  /// Forgets an entry.
  mutating func remove(_ node: Int32) {
    unlink(node)
    nodes[Int(node)].newer = firstUnused
    firstUnused = node
  }

  private mutating func queueOfNewKey(_ tag: UInt32) -> Queue {
    guard let regret = regrets.take(tag) else { return .newcomers }
    let step = Self.wholeShare / Int128(max(1, count))
    let wished = share + (regret == .newcomers ? step : -step)
    share = min(max(Self.smallestShare, wished), Self.wholeShare)
    return .regulars
  }

  // MARK: - Eviction

  /// The entry to look at next.
  /// - Parameter byCost: Whether room is short of cost, and not of entries.
  /// - Returns: Its node; nil where there is none.
  func candidate(byCost: Bool) -> Int32? {
    guard newcomers.count > 0 else { return regulars.count > 0 ? regulars.oldest : nil }
    guard regulars.count > 0 else { return newcomers.oldest }
    let (part, whole) =
      byCost ? (newcomers.cost, cost) : (Int128(newcomers.count), Int128(count))
    // 31 bits for the number of entries, 63 for the cost of each, 30 for the share: it fits.
    let areMany = part * Self.wholeShare >= share * whole
    return areMany ? newcomers.oldest : regulars.oldest
  }

  /// Lets an entry stay because it was used: it is a regular from now on.
  mutating func spare(_ node: Int32) {
    unlink(node)
    nodes[Int(node)].queue = .regulars
    link(node)
  }

  /// Throws an entry out, and remembers that.
  mutating func evict(_ node: Int32) {
    let (place, queue) = (nodes[Int(node)].place, nodes[Int(node)].queue)
    regrets.note(place.tag, queue, among: count)
    remove(node)
  }

  /// Throws out the entry that goes next.
  ///
  /// - Parameters:
  ///   - byCost: Whether room is short of cost, and not of entries.
  ///   - take: Takes an entry's value away, unless it was used since it was last looked at; where
  ///     it is told so, in any case. Nil where it stays.
  /// - Returns: What was taken; nil where nothing is left.
  mutating func evictNext<Value>(
    byCost: Bool, _ take: (_ node: Int32, _ place: Place, _ inAnyCase: Bool) -> Value?
  ) -> Value? {
    // Readers who are faster than this could make it look for ever.
    var patience = count
    while let node = candidate(byCost: byCost) {
      if let value = take(node, place(of: node), patience <= 0) {
        evict(node)
        return value
      }
      if patience > 0 {
        spare(node)
      } else {
        // Whoever does not have the value cannot give it away, however often it is asked.
        remove(node)
      }
      patience -= 1
    }
    return nil
  }

  // MARK: - Links

  private mutating func link(_ index: Int32) {
    let node = nodes[Int(index)]
    change(node.queue) { line, nodes in
      nodes[Int(index)].older = line.newest
      nodes[Int(index)].newer = -1
      if line.newest >= 0 { nodes[Int(line.newest)].newer = index } else { line.oldest = index }
      line.newest = index
      line.count += 1
      line.cost += Int128(node.cost)
    }
  }

  private mutating func unlink(_ index: Int32) {
    let node = nodes[Int(index)]
    change(node.queue) { line, nodes in
      let (older, newer) = (node.older, node.newer)
      if older >= 0 { nodes[Int(older)].newer = newer } else { line.oldest = newer }
      if newer >= 0 { nodes[Int(newer)].older = older } else { line.newest = older }
      line.count -= 1
      line.cost -= Int128(node.cost)
    }
  }

  private mutating func change(_ queue: Queue, _ body: (inout Line, inout [Node]) -> Void) {
    switch queue {
    case .newcomers: body(&newcomers, &nodes)
    case .regulars: body(&regulars, &nodes)
    }
  }
}
