import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageCache

/// Many threads at once; the thread sanitizer looks on in `Scripts/test`.
@Suite(.timeLimit(.minutes(2)))
struct MemoryCacheConcurrencyTests {
  /// Knows its key, so that nobody gets another's value unnoticed.
  private final class Labelled: Sendable {
    let key: String
    let cost: Int
    init(_ key: String, cost: Int) { (self.key, self.cost) = (key, cost) }
  }

  private final class Shared: Sendable {
    // As its documentation says, any thread may use it.
    nonisolated(unsafe) let cache = MemoryCache<Labelled>(costOfValue: { $0.cost })
    let limit = Atomic(2000)
  }

  @Test func holdsItsLimitsAndConfusesNoKeysWhateverHappensAtOnce() {
    let shared = Shared()
    shared.cache.totalCostLimit = 2000
    let recorder = EvictionRecorder<Labelled>()
    shared.cache.delegate = recorder
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = StoredSample.Generator(state: UInt64(thread) + 1)
      let cache = shared.cache
      for _ in 0..<3000 {
        let key = "key \(random.below(300))"
        switch random.below(100) {
        case 0..<30: cache.setValue(Labelled(key, cost: random.below(40)), forKey: key)
        case 30..<85:
          if let value = cache.value(forKey: key) { #expect(value.key == key) }
        case 85..<92: cache.removeValue(forKey: key)
        case 92..<94: cache.trim(toCost: 1000)
        case 94..<96: cache.countLimit = 50 + random.below(100)
        case 96: cache.removeAll()
        case 97: cache.delegate = thread == 0 ? nil : recorder
        default: #expect(cache.totalCost <= 2000)
        }
      }
    }
    let statistics = shared.cache.statistics
    #expect(statistics.totalCost <= 2000)
    let left = (0..<300).compactMap { shared.cache.value(forKey: "key \($0)") }
    #expect(left.count == statistics.count)
    #expect(left.reduce(0) { $0 + $1.cost } == statistics.totalCost)
  }

  @Test func neverReturnsWhatWasRemoved() {
    let shared = Shared()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let cache = shared.cache
      // Each has keys of its own, but all shelves are shared.
      for round in 0..<2000 {
        let key = "\(thread) \(round % 10)"
        cache.setValue(Labelled(key, cost: 1), forKey: key)
        #expect(cache.value(forKey: key) != nil)
        cache.removeValue(forKey: key)
        #expect(cache.value(forKey: key) == nil)
      }
    }
    #expect(shared.cache.count == 0)
  }

  @Test func endsItsSearchForRoomWhileAllIsInUse() {
    let shared = Shared()
    shared.cache.countLimit = 8
    for number in 0..<8 {
      shared.cache.setValue(Labelled("\(number)", cost: 1), forKey: "\(number)")
    }
    let isDone = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      if thread == 0 {
        for number in 8..<2000 {
          shared.cache.setValue(Labelled("\(number)", cost: 1), forKey: "\(number)")
        }
        isDone.store(true, ordering: .releasing)
      } else {
        while !isDone.load(ordering: .acquiring) {
          for number in 0..<8 { _ = shared.cache.value(forKey: "\(number)") }
        }
      }
    }
    #expect(shared.cache.count == 8)
  }
}
