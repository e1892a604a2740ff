import Foundation
import Synchronization
import Testing

@testable import ImageCache

/// When values are released, and what may be called then.
@Suite(.timeLimit(.minutes(1)))
struct MemoryCacheLifetimeTests {
  /// Says when it goes.
  private final class Guest: Sendable {
    private let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
    func add() { value.add(1, ordering: .relaxed) }
    var now: Int { value.load(ordering: .relaxed) }
  }

  /// A cache that threads and values share.
  private final class Shared: Sendable {
    // As its documentation says, any thread may use it.
    nonisolated(unsafe) let cache: MemoryCache<Guest>
    init(count: Int = 0) {
      cache = MemoryCache(countLimit: count, costOfValue: { _ in 1 })
    }
  }

  @Test func releasesAllWithItself() {
    let released = Counter()
    do {
      let cache = MemoryCache<Guest>(costOfValue: { _ in 1 })
      for number in 0..<100_000 {
        cache.setValue(Guest { released.add() }, forKey: "\(number)")
      }
      #expect(released.now == 0)
    }
    #expect(released.now == 100_000)
  }

  @Test func releasesWhatIsReplacedRemovedAndThrownOutAtOnce() {
    let released = Counter()
    let cache = MemoryCache<Guest>(countLimit: 2, costOfValue: { _ in 1 })
    func set(_ key: String) { cache.setValue(Guest { released.add() }, forKey: key) }
    set("a")
    set("a")
    #expect(released.now == 1)
    cache.removeValue(forKey: "a")
    #expect(released.now == 2)
    for key in ["a", "b", "c"] { set(key) }
    #expect(released.now == 3)
    cache.removeAllObjects()
    #expect(released.now == 5)
    cache.setValue(Guest { released.add() }, forKey: "a", cost: 1)
    cache.totalCostLimit = 5
    cache.setValue(Guest { released.add() }, forKey: "a", cost: 6)
    #expect(released.now == 7)
  }

  /// A value that goes may look at the cache that it was in, and change it.
  @Test(arguments: ["replace", "remove", "remove all", "evict", "lower", "trim", "too large"])
  func mayBeCalledByAValueThatGoes(how: String) {
    let shared = Shared(count: 2)
    let calls = Counter()
    // Set once by the last of them, so that it ends.
    let guest: @Sendable () -> Guest = { [weak shared] in
      Guest { [weak shared] in
        calls.add()
        _ = shared?.cache.value(forKey: "a")
        shared?.cache.setValue(Guest {}, forKey: "from deinit")
        shared?.cache.removeValue(forKey: "from deinit")
      }
    }
    let cache = shared.cache
    cache.setValue(guest(), forKey: "a")
    cache.setValue(Guest {}, forKey: "b")

    switch how {
    case "replace": cache.setValue(Guest {}, forKey: "a")
    case "remove": cache.removeObject(forKey: "a")
    case "remove all": cache.removeAllObjects()
    case "evict": cache.setValue(Guest {}, forKey: "c")
    case "lower": cache.countLimit = 1
    case "trim": cache.trim(toCount: 0)
    default:
      cache.totalCostLimit = 10
      cache.setValue(Guest {}, forKey: "a", cost: 11)
    }

    #expect(calls.now == 1)
    #expect(cache.value(forKey: "from deinit") == nil)
  }

  /// A delegate that calls the cache back.
  private final class Meddler: NSObject, NSCacheDelegate, Sendable {
    let calls = Counter()

    func cache(_ cache: NSCache<AnyObject, AnyObject>, willEvictObject object: Any) {
      calls.add()
      let cache = unsafeBitCast(cache, to: MemoryCache<Token>.self)
      #expect(object is Token)
      _ = cache.object(forKey: "a")
      cache.removeObject(forKey: "other")
      if calls.now < 5 { cache.setValue(Token(), forKey: "from delegate \(calls.now)") }
    }
  }

  @Test func mayBeCalledByItsDelegate() {
    let cache = MemoryCache<Token>(countLimit: 2, costOfValue: { _ in 1 })
    let meddler = Meddler()
    cache.delegate = meddler
    for key in ["a", "b", "c"] { cache.setValue(Token(), forKey: key) }
    #expect(meddler.calls.now == 5)
    #expect(cache.count == 2)
  }

  @Test func tellsItsDelegateOfEvictionsOnly() {
    let recorder = EvictionRecorder<Token>()
    let cache = MemoryCache<Token>(countLimit: 3, costOfValue: { _ in 1 })
    cache.delegate = recorder
    let tokens = (0..<5).map { _ in Token() }

    cache.setValue(tokens[0], forKey: "a")
    cache.setValue(tokens[1], forKey: "a")
    cache.removeValue(forKey: "a")
    cache.setValue(tokens[1], forKey: "a")
    cache.removeAll()
    #expect(recorder.take().isEmpty)

    for number in 0..<4 { cache.setValue(tokens[number], forKey: "\(number)") }
    #expect(recorder.take().map(ObjectIdentifier.init) == [ObjectIdentifier(tokens[0])])
    cache.countLimit = 1
    #expect(
      recorder.take().map(ObjectIdentifier.init) == tokens[1...2].map { ObjectIdentifier($0) })
  }

  @Test func holdsItsDelegateWeakly() {
    let cache = MemoryCache<Token>(countLimit: 1, costOfValue: { _ in 1 })
    cache.delegate = EvictionRecorder<Token>()
    #expect(cache.delegate == nil)
    for key in ["a", "b"] { cache.setValue(Token(), forKey: key) }
    #expect(cache.count == 1)
  }
}
