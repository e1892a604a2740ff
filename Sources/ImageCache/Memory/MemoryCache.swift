public import Foundation
import Synchronization

/// An `NSCache` that keeps its promises: what was used least goes first, and limits hold.
///
/// ```swift
/// let cache = MemoryCache<Image>()
/// cache.setValue(picture, forKey: "cover")
/// let again = cache.value(forKey: "cover")
/// ```
///
/// It can stand wherever an `NSCache` is asked for. The calls with `String` keys are the same
/// without the detour over `NSString`; keys are the same where Swift says that the strings are
/// equal, however they are composed.
///
/// - Both limits hold whenever a call returns; lowering one throws out at once what is too much.
/// - What was used once is thrown out first, the least recently used of it in front; what was used
///   again since it came stays longer. So thousands of pictures that are looked at once do not
///   push out those that are in use, and a working set that changes is learnt within its own size.
/// - A value that costs more than the limit is not kept, pushes nobody out, and does not leave an
///   older value of its key behind.
/// - Reading, writing and throwing out take the same time however many values there are.
/// - Values are released, and the delegate is called, when no lock is held, so both may call the
///   cache.
/// - A value that was thrown out is not found again, even where somebody else still holds it.
///
/// All calls may come from any thread. The compiler cannot be told so: Foundation marks every
/// `NSCache` as not `Sendable`, so a property that several threads read is `nonisolated(unsafe)`.
///
/// - Note: Differences from Foundation's `NSCache` on Linux: that one never looks at use, throws
///   out the cheapest or the newest first, applies limits only when something is set, calls its
///   delegate under its lock, keeps everything when it is released itself, and needs a time
///   proportional to the number of values to set one with a cost.
public final class MemoryCache<Value: AnyObject & Sendable>: NSCache<NSString, Value> {
  let storage = MemoryStorage()
  private let costOfValue: @Sendable (Value) -> Int
  /// Foundation's property is read and written under it: a weak reference is not safe otherwise.
  private let delegateLock = Mutex(())

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - totalCostLimit: The most that all values may cost together; 0 for no limit.
  ///   - countLimit: The most values; 0 for no limit.
  ///   - costOfValue: What a value costs that is set without a cost. Called on the thread that sets
  ///     it.
  public init(
    totalCostLimit: Int = 0, countLimit: Int = 0,
    costOfValue: @escaping @Sendable (Value) -> Int
  ) {
    self.costOfValue = costOfValue
    super.init()
    self.totalCostLimit = totalCostLimit
    self.countLimit = countLimit
  }

  // MARK: - Values by strings

  /// A key's value; it counts as used.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil where there is none, or none any more.
  public func value(forKey key: String) -> Value? {
    // No `map`: outside of this module the compiler knows nothing of `Value`, and closures are slow
    // then.
    guard let object = storage.value(forKey: key) else { return nil }
    return unsafeDowncast(object, to: Value.self)
  }

  /// Keeps a value, in place of the one that the key had.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  ///   - cost: What it costs, in the unit of ``totalCostLimit``; below 0 is 0. Nil for what the
  ///     cache has been told to ask: ``MemoryCosting/memoryCost``, or the closure it was made with.
  public func setValue(_ value: Value, forKey key: String, cost: Int? = nil) {
    tell(storage.setValue(value, forKey: key, cost: cost ?? costOfValue(value)))
  }

  /// As ``setValue(_:forKey:cost:)``, but nobody is told, and the caller gets what has to go.
  func exchange(_ value: Value, forKey key: String) -> MemoryStorage.Removed {
    storage.setValue(value, forKey: key, cost: costOfValue(value))
  }

  /// Removes a key's value. The delegate is not told.
  ///
  /// - Parameter key: The key.
  /// - Returns: What it had.
  @discardableResult
  public func removeValue(forKey key: String) -> Value? {
    guard let object = storage.removeValue(forKey: key) else { return nil }
    return unsafeDowncast(object, to: Value.self)
  }

  /// Removes all values. The delegate is not told.
  public func removeAll() { _ = takeAll() }

  /// As ``removeAll()``, but the caller gets what has to go.
  func takeAll() -> [Shelf] { storage.removeAll() }

  /// Throws out values, as for a limit, until what is left costs no more than this.
  ///
  /// - Parameter cost: The most that may stay; 0 throws out all that cost anything.
  public func trim(toCost cost: Int) {
    tell(storage.trim(to: MemoryLimits(cost: max(0, cost))))
  }

  /// Throws out values, as for a limit, until no more than this many are left.
  ///
  /// - Parameter count: The most that may stay.
  public func trim(toCount count: Int) {
    tell(storage.trim(to: MemoryLimits(count: max(0, count))))
  }

  /// How many values there are.
  public var count: Int { storage.count }

  /// What all values cost together; `Int.max` where it is more than that.
  public var totalCost: Int { storage.totalCost }

  /// Counters since the cache was made, and what it holds now.
  public var statistics: MemoryCacheStatistics { storage.statistics }

  // MARK: - Limits

  /// The most that all values may cost together; 0 for no limit. Holds as soon as it is set.
  public override var totalCostLimit: Int {
    get { storage.limits.cost ?? 0 }
    set { tell(storage.changeLimits { $0.cost = MemoryLimits.limit(newValue) }) }
  }

  /// The most values; 0 for no limit. Holds as soon as it is set.
  public override var countLimit: Int {
    get { storage.limits.count ?? 0 }
    set { tell(storage.changeLimits { $0.count = MemoryLimits.limit(newValue) }) }
  }

  // MARK: - NSCache

  /// As ``value(forKey:)``.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil where there is none, or none any more.
  public override func object(forKey key: NSString) -> Value? { value(forKey: String(key)) }

  /// As ``setValue(_:forKey:cost:)`` without a cost.
  ///
  /// - Parameters:
  ///   - object: The value.
  ///   - key: The key.
  public override func setObject(_ object: Value, forKey key: NSString) {
    setValue(object, forKey: String(key))
  }

  /// As ``setValue(_:forKey:cost:)``.
  ///
  /// - Parameters:
  ///   - object: The value.
  ///   - key: The key.
  ///   - cost: What it costs; below 0 is 0.
  public override func setObject(_ object: Value, forKey key: NSString, cost: Int) {
    setValue(object, forKey: String(key), cost: cost)
  }

  /// As ``removeValue(forKey:)``.
  ///
  /// - Parameter key: The key.
  public override func removeObject(forKey key: NSString) { removeValue(forKey: String(key)) }

  /// As ``removeAll()``.
  public override func removeAllObjects() { removeAll() }

  /// Is told of values that are thrown out, for a limit or by trimming: afterwards, on the thread
  /// whose call made it necessary, and without a lock. Held weakly.
  public override var delegate: (any NSCacheDelegate)? {
    get {
      var delegate: (any NSCacheDelegate)?
      delegateLock.withLock { _ in delegate = super.delegate }
      return delegate
    }
    set { delegateLock.withLock { _ in super.delegate = newValue } }
  }

  /// Tells the delegate, and lets go of what was removed.
  private func tell(_ removed: MemoryStorage.Removed) {
    guard !removed.evicted.isEmpty, let delegate else { return }
    // The delegate's method knows no generics; Foundation passes itself in the same way.
    let cache = unsafeBitCast(self, to: NSCache<AnyObject, AnyObject>.self)
    for object in removed.evicted { delegate.cache(cache, willEvictObject: object) }
  }
}

extension MemoryCache where Value: MemoryCosting {
  /// Makes an empty cache whose values say what they cost.
  ///
  /// - Parameters:
  ///   - totalCostLimit: The most bytes that all values may take together, 0 for no limit. By
  ///     default ``MemoryBudget``'s share of what this process may use.
  ///   - countLimit: The most values; 0 for no limit.
  public convenience init(
    totalCostLimit: Int = MemoryBudget.current.byteCount, countLimit: Int = 0
  ) {
    self.init(totalCostLimit: totalCostLimit, countLimit: countLimit) { $0.memoryCost }
  }
}
