import Foundation
import TestSupport
import Testing

@testable import ImageCache

/// What the order of eviction was chosen by; the other policies were measured on the same traces.
@Suite(.timeLimit(.minutes(2)))
struct EvictionTraceTests {
  private static let room = 200

  @Test func findsMoreThanAnExactLRUOfKeysThatRecur() {
    let trace = Trace.zipf(keys: 2000, count: 60_000)
    let (ours, exact) = (hitRate(trace), Trace.hitRateOfExactLRU(trace, room: Self.room))
    #expect(abs(exact - 0.506) < 0.01)
    #expect(ours > exact + 0.04)
  }

  @Test func findsAsMuchAsAnExactLRUOfAScrolledList() {
    let trace = Trace.scrolling(rows: 2000, count: 60_000)
    let (ours, exact) = (hitRate(trace), Trace.hitRateOfExactLRU(trace, room: Self.room))
    #expect(abs(exact - 0.947) < 0.01)
    #expect(ours > exact - 0.01)
  }

  @Test func findsMoreThanThatToo() {
    // Costs that differ threefold, limited by cost.
    for trace in [
      Trace.zipf(keys: 2000, count: 60_000), Trace.scrolling(rows: 2000, count: 60_000),
    ] {
      var random = StoredSample.Generator(state: 77)
      let costs = (0..<2000).map { _ in 50_000 + random.below(100_000) }
      let rate = hitRate(trace, costLimit: Self.room * 100_000) { costs[$0] }
      #expect(rate > Trace.hitRateOfExactLRU(trace, room: Self.room) - 0.015)
    }
  }

  @Test func learnsAnotherWorkingSet() {
    let trace = (0..<20).flatMap { block in
      var random = StoredSample.Generator(state: UInt64(block) + 1)
      return (0..<3000).map { _ in block * 150 + random.below(150) }
    }
    let exact = Trace.hitRateOfExactLRU(trace, room: Self.room)
    #expect(hitRate(trace) > exact - 0.01)
  }

  /// The hot set's part of the room, and how often it was read.
  @Test(arguments: [(50, 1), (50, 3), (90, 1)])
  func keepsAHotSetThroughAScan(percent: Int, reads: Int) {
    let cache = MemoryStorage()
    _ = cache.changeLimits { $0.count = Self.room }
    let hot = (0..<Self.room * percent / 100).map { "hot \($0)" }
    for key in hot { _ = cache.setValue(Token(), forKey: key, cost: 1) }
    for _ in 0..<reads { for key in hot { _ = cache.value(forKey: key) } }

    for number in 0..<Self.room * 10 { read("scanned \(number)", cache, cost: 1) }

    let kept = hot.count { cache.value(forKey: $0) != nil }
    #expect(kept >= hot.count * 99 / 100)
  }

  @Test func keepsMostOfAHotSetThatFillsAllOfTheRoom() {
    let cache = MemoryStorage()
    _ = cache.changeLimits { $0.cost = Self.room * 1000 }
    let hot = (0..<Self.room).map { "hot \($0)" }
    for _ in 0..<2 { for key in hot { read(key, cache, cost: 1000) } }

    for number in 0..<Self.room * 10 { read("scanned \(number)", cache, cost: 1000) }

    #expect(hot.count { cache.value(forKey: $0) != nil } >= Self.room * 85 / 100)
  }

  @discardableResult
  private func read(_ key: String, _ cache: MemoryStorage, cost: Int) -> Bool {
    if cache.value(forKey: key) != nil { return true }
    _ = cache.setValue(Token(), forKey: key, cost: cost)
    return false
  }

  private func hitRate(
    _ trace: [Int], costLimit: Int? = nil, cost: (Int) -> Int = { _ in 1 }
  ) -> Double {
    let cache = MemoryStorage()
    _ = cache.changeLimits { limits in
      limits.cost = costLimit
      limits.count = costLimit == nil ? Self.room : nil
    }
    let hits = trace.count { read("\($0)", cache, cost: cost($0)) }
    return Double(hits) / Double(trace.count)
  }
}
