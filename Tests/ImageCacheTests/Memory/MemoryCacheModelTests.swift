import Foundation
import TestSupport
import Testing

@testable import ImageCache

/// Random calls on the cache, and on a dictionary and a list beside it.
@Suite(.timeLimit(.minutes(2)))
struct MemoryCacheModelTests {
  /// What must be there: everything, until the cache says that it threw it out.
  private struct Model {
    var values: [String: (token: Token, cost: Int)] = [:]
    var evictions = 0
    var cost: Int { values.values.reduce(0) { $0 + $1.cost } }

    mutating func evict(_ tokens: [Token]) {
      for token in tokens {
        let key = values.first { $0.value.token === token }?.key
        #expect(key != nil, "what is thrown out was there")
        if let key { values[key] = nil }
      }
      evictions += tokens.count
    }
  }

  /// With few keys most calls meet entries; with many most make new ones.
  @Test(arguments: [4, 12, 60, 400], [UInt64(1), 2, 3, 4, 5])
  func agreesWithADictionaryAndAList(keys: Int, seed: UInt64) {
    var random = StoredSample.Generator(state: seed &* 7919)
    let recorder = EvictionRecorder<Token>()
    let cache = MemoryCache<Token>(costOfValue: { _ in 5 })
    cache.delegate = recorder
    var model = Model()
    var limits = (cost: 0, count: 0)

    for step in 0..<4000 {
      let key = "key \(random.below(keys))"
      switch random.below(20) {
      case 0...8:
        let (token, cost) = (Token(), random.below(60) - 5)
        cache.setValue(token, forKey: key, cost: cost)
        // The key's older value goes before anything is thrown out for the new one.
        model.values[key] = nil
        model.evict(recorder.take())
        let isTooLarge = limits.cost > 0 && cost > limits.cost
        if !isTooLarge { model.values[key] = (token, max(0, cost)) }
      case 9...15:
        #expect(cache.value(forKey: key) === model.values[key]?.token)
      case 16:
        #expect(cache.removeValue(forKey: key) === model.values.removeValue(forKey: key)?.token)
      case 17:
        limits.cost = random.below(3) == 0 ? 0 : random.below(keys * 20)
        cache.totalCostLimit = limits.cost
        model.evict(recorder.take())
      case 18:
        limits.count = random.below(3) == 0 ? 0 : random.below(keys)
        cache.countLimit = limits.count
        model.evict(recorder.take())
      default:
        guard random.below(20) == 0 else { break }
        cache.removeAll()
        model.values = [:]
      }
      #expect(recorder.take().isEmpty, "nothing is thrown out but where it has to be")
      #expect(cache.count == model.values.count)
      #expect(cache.totalCost == model.cost)
      #expect(limits.cost == 0 || cache.totalCost <= limits.cost)
      #expect(limits.count == 0 || cache.count <= limits.count)
      if step % 500 == 499 {
        for (key, entry) in model.values { #expect(cache.value(forKey: key) === entry.token) }
      }
    }
    #expect(cache.statistics.evictions == model.evictions)
  }

  /// Without uses there is but one order, the same for a list.
  @Test(arguments: [UInt64(1), 2, 3]) func throwsOutTheOldestWhereNothingWasUsed(seed: UInt64) {
    var random = StoredSample.Generator(state: seed)
    let recorder = EvictionRecorder<Token>()
    let cache = MemoryCache<Token>(totalCostLimit: 500, costOfValue: { _ in 1 })
    cache.delegate = recorder
    var list: [(token: Token, cost: Int)] = []

    for number in 0..<2000 {
      let (token, cost) = (Token(), random.below(50))
      cache.setValue(token, forKey: "\(number)", cost: cost)
      var expected: [Token] = []
      while list.reduce(cost, { $0 + $1.cost }) > 500 { expected.append(list.removeFirst().token) }
      list.append((token, cost))
      let evicted = recorder.take()
      #expect(evicted.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init))
    }
  }

  /// What was used once goes in the order of its coming; what was used since stays.
  @Test func throwsOutWhatWasUsedLeast() {
    let cache = MemoryCache<Token>(countLimit: 3, costOfValue: { _ in 1 })
    for key in ["a", "b", "c"] { cache.setValue(Token(), forKey: key) }
    #expect(cache.value(forKey: "a") != nil)

    cache.setValue(Token(), forKey: "d")

    #expect(cache.value(forKey: "b") == nil)
    for key in ["a", "c", "d"] { #expect(cache.value(forKey: key) != nil) }
  }

  @Test func countsASetOfAnOldKeyAsAUse() {
    let cache = MemoryCache<Token>(countLimit: 3, costOfValue: { _ in 1 })
    for key in ["a", "b", "c", "a", "d"] { cache.setValue(Token(), forKey: key) }
    #expect(cache.value(forKey: "a") != nil)
    #expect(cache.value(forKey: "b") == nil)
  }
}
