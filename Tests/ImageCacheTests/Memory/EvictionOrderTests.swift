import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct EvictionOrderTests {
  private func place(_ tag: UInt32) -> EvictionOrder.Place { .init(shelf: 0, tag: tag) }

  private func evictNext(_ order: inout EvictionOrder) -> UInt32? {
    guard let node = order.candidate(byCost: false) else { return nil }
    defer { order.evict(node) }
    return order.place(of: node).tag
  }

  @Test func looksAtTheOldestFirst() {
    var order = EvictionOrder()
    let nodes = (0..<5).map { order.insert(place($0), cost: 1) }
    order.remove(nodes[1])
    #expect((0..<5).map { _ in evictNext(&order) } == [0, 2, 3, 4, nil])
    #expect(order.count == 0)
    #expect(order.cost == 0)
  }

  @Test func throwsOutWhatEverybodyGoesOnUsing() {
    var order = EvictionOrder()
    for tag in 0..<UInt32(3) { _ = order.insert(place(tag), cost: 1) }
    let gone = order.evictNext(byCost: false) { _, place, inAnyCase in
      inAnyCase ? place.tag : nil
    }
    #expect(gone == 0)
    #expect(order.count == 2)
  }

  @Test func looksForNothingForEver() {
    var order = EvictionOrder()
    for tag in 0..<UInt32(3) { _ = order.insert(place(tag), cost: 1) }
    var looks = 0
    let gone = order.evictNext(byCost: false) { _, _, _ -> UInt32? in
      looks += 1
      return looks < 100 ? nil : 0
    }
    #expect(gone == nil && looks == 6)
    #expect(order.count == 0 && order.cost == 0)
  }

  @Test func makesWhatWasUsedARegularAndTakesNewcomersFirst() {
    var order = EvictionOrder()
    let nodes = (0..<10).map { order.insert(place($0), cost: 1) }
    for node in nodes.prefix(5) { order.spare(node) }
    #expect((0..<5).map { _ in evictNext(&order) } == [5, 6, 7, 8, 9])
    #expect((0..<5).map { _ in evictNext(&order) } == [0, 1, 2, 3, 4])
  }

  @Test func widensTheNewcomersShareForOneThatComesBackAndNarrowsItForARegular() {
    var order = EvictionOrder()
    for tag in 0..<UInt32(20) { _ = order.insert(place(tag << 8), cost: 1) }
    let before = order.share
    let gone = evictNext(&order)
    let again = order.insert(place(gone ?? 0), cost: 1)
    #expect(order.queue(of: again) == .regulars)
    #expect(order.share > before)

    let wide = order.share
    order.evict(again)
    let regular = order.insert(place(gone ?? 0), cost: 1)
    #expect(order.queue(of: regular) == .regulars)
    #expect(order.share < wide)
    #expect(order.share >= EvictionOrder.smallestShare)
  }

  @Test func forgetsWhatWasThrownOutLongAgo() {
    var order = EvictionOrder()
    for tag in 0..<UInt32(100) { _ = order.insert(place(tag &* 0x9e37_79b9), cost: 1) }
    let first = evictNext(&order) ?? 0
    for tag in 100..<UInt32(1000) {
      _ = order.insert(place(tag &* 0x9e37_79b9), cost: 1)
      _ = evictNext(&order)
    }
    #expect(order.queue(of: order.insert(place(first), cost: 1)) == .newcomers)
  }

  /// Random calls, and two arrays beside them.
  @Test(arguments: [UInt64(1), 2, 3]) func agreesWithTwoLists(seed: UInt64) {
    var random = StoredSample.Generator(state: seed)
    var order = EvictionOrder()
    var queues: [EvictionOrder.Queue: [(node: Int32, cost: Int)]] = [.newcomers: [], .regulars: []]
    func all() -> [(node: Int32, cost: Int)] { queues.values.flatMap(\.self) }
    for step in 0..<2500 {
      switch random.below(5) {
      case 0...2:
        let cost = random.below(1000)
        let node = order.insert(place(UInt32(step)), cost: cost)
        queues[order.queue(of: node)]?.append((node, cost))
      case 3:
        guard let entry = all().randomElement(using: &random) else { continue }
        let queue = order.queue(of: entry.node)
        order.remove(entry.node)
        queues[queue]?.removeAll { $0.node == entry.node }
      default:
        guard let node = order.candidate(byCost: random.below(2) == 0) else { continue }
        let queue = order.queue(of: node)
        let first = queues[queue]?.removeFirst()
        #expect(first?.node == node)
        if let first, random.below(2) == 0 {
          order.spare(node)
          queues[.regulars]?.append(first)
        } else {
          order.evict(node)
        }
      }
      #expect(order.count == all().count)
      #expect(order.cost == Int128(all().reduce(0) { $0 + $1.cost }))
    }
  }
}
