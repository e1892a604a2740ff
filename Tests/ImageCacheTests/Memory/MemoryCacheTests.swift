import Foundation
import Imaging
import Synchronization
import Testing

@testable import ImageCache

/// Limits, keys and costs.
@Suite(.timeLimit(.minutes(1)))
struct MemoryCacheTests {
  private func cache(cost: Int = 0, count: Int = 0) -> MemoryCache<Token> {
    MemoryCache(totalCostLimit: cost, countLimit: count, costOfValue: { _ in 10 })
  }

  private func fill(_ cache: MemoryCache<Token>, _ numbers: Range<Int>, cost: Int) {
    for number in numbers { cache.setValue(Token(), forKey: "\(number)", cost: cost) }
  }

  // MARK: - Limits

  @Test func doesNotKeepWhatIsTooLargeAndPushesNobodyOut() {
    let cache = cache(cost: 100)
    fill(cache, 0..<9, cost: 10)

    cache.setValue(Token(), forKey: "large", cost: 101)

    #expect(cache.value(forKey: "large") == nil)
    #expect(cache.count == 9)
    cache.setValue(Token(), forKey: "fits", cost: 100)
    #expect(cache.value(forKey: "fits") != nil)
    #expect(cache.count == 1)
  }

  @Test func leavesNoOlderValueBehindWhereTheNewOneIsTooLarge() {
    let cache = cache(cost: 100)
    cache.setValue(Token(), forKey: "picture", cost: 10)

    cache.setValue(Token(), forKey: "picture", cost: 101)

    #expect(cache.value(forKey: "picture") == nil)
    #expect(cache.count == 0)
    #expect(cache.totalCost == 0)
  }

  @Test func makesRoomForAValueThatGrows() {
    let cache = cache(cost: 100)
    fill(cache, 0..<10, cost: 10)

    cache.setValue(Token(), forKey: "9", cost: 60)

    #expect(cache.totalCost == 100)
    #expect((0..<10).filter { cache.value(forKey: "\($0)") != nil } == [5, 6, 7, 8, 9])
  }

  @Test func addsAndReplacesCostsOfAnySize() {
    let cache = cache()
    for number in 0..<4 { cache.setValue(Token(), forKey: "\(number)", cost: .max) }
    #expect(cache.totalCost == .max)
    for number in 1..<4 { cache.removeValue(forKey: "\(number)") }
    #expect(cache.totalCost == .max)
    cache.setValue(Token(), forKey: "0", cost: 7)
    #expect(cache.totalCost == 7)

    fill(cache, 1..<4, cost: .max)
    cache.totalCostLimit = .max
    #expect(cache.totalCost <= .max)
    #expect(cache.count == 1)
  }

  @Test func takesNegativeCostsForNone() {
    let cache = cache(cost: 10)
    cache.setValue(Token(), forKey: "a", cost: .min)
    cache.setObject(Token(), forKey: "b", cost: -5)
    #expect(cache.totalCost == 0)
    #expect(cache.count == 2)
  }

  @Test(arguments: [0, -1, .min]) func hasNoLimitWhereItIsNotAboveZero(limit: Int) {
    let cache = cache(cost: limit, count: limit)
    fill(cache, 0..<1000, cost: 1_000_000)
    #expect(cache.count == 1000)
    #expect(cache.totalCostLimit == 0)
    #expect(cache.countLimit == 0)
  }

  @Test func trimsWithoutChangingItsLimits() {
    let cache = cache(cost: 1000)
    fill(cache, 0..<100, cost: 10)

    cache.trim(toCost: 500)
    #expect(cache.count == 50)
    cache.trim(toCount: 20)
    #expect((0..<100).filter { cache.value(forKey: "\($0)") != nil } == Array(80..<100))
    cache.trim(toCost: 0)
    #expect(cache.count == 0)
    #expect(cache.totalCostLimit == 1000)
    cache.trim(toCost: -1)
    cache.trim(toCount: -1)
  }

  // MARK: - Keys

  @Test func findsAKeyHoweverItIsComposed() {
    let cache = cache()
    let token = Token()
    cache.setValue(token, forKey: "caf\u{e9}")

    #expect(cache.value(forKey: "cafe\u{301}") === token)
    #expect(cache.object(forKey: "cafe\u{301}") === token)
    cache.setObject(Token(), forKey: "cafe\u{301}")
    #expect(cache.count == 1)
    cache.removeObject(forKey: "caf\u{e9}")
    #expect(cache.count == 0)
    // The Kelvin sign is equal to the letter.
    cache.setValue(token, forKey: "\u{212a}")
    #expect(cache.value(forKey: "K") === token)
  }

  @Test(arguments: ["", "\0", " ", "a/../b", "😀", String(repeating: "x", count: 100_000)])
  func keepsAnyKey(key: String) {
    let cache = cache()
    let token = Token()
    cache.setValue(token, forKey: key)
    #expect(cache.value(forKey: key) === token)
    #expect(cache.value(forKey: key + "x") == nil)
    #expect(cache.removeValue(forKey: key) === token)
    #expect(cache.removeValue(forKey: key) == nil)
  }

  // MARK: - Costs

  @Test func asksForTheCostWhereNoneIsGiven() {
    let cache = cache(cost: 100)
    for number in 0..<50 { cache.setObject(Token(), forKey: "\(number)" as NSString) }
    for number in 50..<100 { cache.setValue(Token(), forKey: "\(number)") }
    #expect(cache.count == 10)
    #expect(cache.totalCost == 100)
  }

  @Test func countsPicturesByTheMemoryThatTheyTakeWhenShown() throws {
    let layout = try #require(PixelLayout(format: .grey, width: 40, height: 30))
    let pixels = try #require(
      PixelBuffer(layout: layout, bytes: [UInt8](repeating: 9, count: 1200)))
    let data = try #require(Image(pixels).jpegData(compressionQuality: 0.5))
    let image = try Image(data)
    #expect(image.memoryCost == data.count + 40 * 30 * 4)
    let before = image.memoryCost
    _ = try image.pixelBuffer()
    #expect(image.memoryCost == before)
    #expect(image.byteCount <= before)

    let cache = MemoryCache<Image>(totalCostLimit: before * 3)
    for number in 0..<10 { cache.setValue(try Image(data), forKey: "\(number)") }
    #expect(cache.count == 3)
  }

  @Test func hasABudgetWhereNobodySetsOne() {
    let cache = MemoryCache<Image>()
    let budget = MemoryBudget.current
    #expect(cache.totalCostLimit == budget.byteCount)
    #expect(budget.byteCount <= (budget.available ?? .max) / 4)
    #expect(MemoryBudget(available: 128 << 20).byteCount == 32 << 20)
    #expect(MemoryBudget(available: 64 << 30).byteCount == 1 << 30)
    #expect(MemoryBudget(available: nil).byteCount == 64 << 20)
    #expect(MemoryBudget(available: 0).byteCount == 1, "0 would be no limit")
  }

  // MARK: - Counting

  @Test func countsWhatHappens() {
    let cache = cache(count: 2)
    fill(cache, 0..<3, cost: 10)
    _ = cache.value(forKey: "0")
    _ = cache.value(forKey: "1")
    _ = cache.object(forKey: "2")

    let statistics = cache.statistics
    #expect(statistics.hits == 2)
    #expect(statistics.misses == 1)
    #expect(statistics.evictions == 1)
    #expect(statistics.count == 2)
    #expect(statistics.totalCost == 20)
    cache.removeAll()
    #expect(cache.statistics.hits == 2)
    #expect(cache.statistics.count == 0)
  }
}
