import Foundation
import TestSupport
import Testing

@testable import ImageCache

/// What Foundation's cache does on Linux, each with what this one does instead, through the calls
/// of `NSCache` alone.
@Suite(.timeLimit(.minutes(1)))
struct NSCacheBehaviorTests {
  private func cache(cost: Int = 0, count: Int = 0) -> NSCache<NSString, Token> {
    MemoryCache(totalCostLimit: cost, countLimit: count, costOfValue: { _ in 0 })
  }

  private func keys(of cache: NSCache<NSString, Token>, _ names: [String]) -> [String] {
    names.filter { cache.object(forKey: $0 as NSString) != nil }
  }

  private let numbers = (0..<10).map { "\($0)" }

  @Test func keepsTheNewestOfEqualCosts() {
    let cache = cache(cost: 30)
    for key in numbers.prefix(6) { cache.setObject(Token(), forKey: key as NSString, cost: 10) }
    #expect(keys(of: cache, numbers) == ["3", "4", "5"])
  }

  @Test func keepsTheNewestOfThoseWithoutACost() {
    let cache = cache(count: 3)
    for key in numbers.prefix(6) { cache.setObject(Token(), forKey: key as NSString) }
    #expect(keys(of: cache, numbers) == ["3", "4", "5"])
  }

  @Test func keepsWhatIsInUseAndThrowsOutALargeValueThatIsNot() {
    let cache = cache(cost: 100)
    for key in numbers.prefix(5) { cache.setObject(Token(), forKey: key as NSString, cost: 1) }
    cache.setObject(Token(), forKey: "8", cost: 90)
    for _ in 0..<3 { #expect(keys(of: cache, Array(numbers.prefix(5))).count == 5) }

    cache.setObject(Token(), forKey: "9", cost: 90)

    #expect(keys(of: cache, numbers) == ["0", "1", "2", "3", "4", "9"])
  }

  @Test func isNotEmptiedByAValueThatIsTooLarge() {
    let cache = cache(cost: 100)
    for key in numbers.prefix(9) { cache.setObject(Token(), forKey: key as NSString, cost: 10) }
    cache.setObject(Token(), forKey: "9", cost: 101)
    #expect(keys(of: cache, numbers) == Array(numbers.prefix(9)))
  }

  @Test func trimsWhenALimitIsLowered() {
    let cache = cache()
    for key in numbers { cache.setObject(Token(), forKey: key as NSString, cost: 10) }
    cache.totalCostLimit = 50
    #expect(keys(of: cache, numbers) == Array(numbers.suffix(5)))
    cache.countLimit = 2
    #expect(keys(of: cache, numbers).count == 2)
  }

  @Test func addsCostsOfAnySize() {
    let cache = cache()
    for key in numbers { cache.setObject(Token(), forKey: key as NSString, cost: .max) }
    #expect(keys(of: cache, numbers) == numbers)
  }

  @Test func copiesItsKeys() {
    let cache = cache()
    let key = NSMutableString(string: "before")
    cache.setObject(Token(), forKey: key)
    key.append(" and after")
    #expect(cache.object(forKey: "before") != nil)
    #expect(cache.object(forKey: "before and after") == nil)
  }

  @Test func findsKeysOfAnyClassOfStrings() {
    let cache = cache()
    cache.setObject(Token(), forKey: NSMutableString(string: "key"))
    #expect(cache.object(forKey: NSString(format: "k%@", "ey")) != nil)
  }

  @Test func removes() {
    let cache = cache()
    for key in numbers { cache.setObject(Token(), forKey: key as NSString) }
    cache.removeObject(forKey: "3")
    #expect(keys(of: cache, numbers).count == 9)
    cache.removeAllObjects()
    #expect(keys(of: cache, numbers).isEmpty)
    cache.setObject(Token(), forKey: "3")
    #expect(cache.object(forKey: "3") != nil)
  }

  /// Random costs made it look through half of the cache for each; 50 000 took 18.9 s.
  @Test func takesManyValuesWithCosts() {
    let cache = cache(cost: 50_000 * 50)
    var random = StoredSample.Generator(state: 3)
    let start = ContinuousClock.now
    for number in 0..<50_000 {
      cache.setObject(Token(), forKey: "\(number)" as NSString, cost: random.below(100))
    }
    #expect(start.duration(to: .now) < .seconds(10))
  }
}
