import Synchronization

/// Values by key within limits; what ``MemoryCache`` is made of. All calls may come from any
/// thread.
///
/// Two kinds of locks: those of a shelf's gates (``Bay``), of which reading takes one, so that
/// readers of different keys, and those on different processors, do not meet; and the order's, which
/// whoever changes something takes first and holds while it changes one shelf after the other. Who
/// has a reader's gate waits for nothing, so nobody waits in a circle. Values are released by the
/// caller, when no lock is held.
final class MemoryStorage: Sendable {
  typealias Object = Shelf.Object

  /// As many readers as most machines have processors meet rarely.
  static let shelfCount = 16

  /// What a change has taken out of the storage, to be released by whoever made it.
  struct Removed: Sendable {
    /// Thrown out for the limits, in that order.
    var evicted: [Object] = []
    /// Replaced by a newer value of its key.
    var replaced: Object?
  }

  private struct State: Sendable {
    var order = EvictionOrder()
    var limits = MemoryLimits()
    var evictions = 0

    /// What there is too much of, once an entry of this cost is added; nil where all fits.
    func excess(over limits: MemoryLimits, adding cost: Int?) -> Excess? {
      let (added, count) = (Int128(cost ?? 0), cost == nil ? 0 : 1)
      if let most = limits.cost, order.cost + added > Int128(most) { return .cost }
      if let most = limits.count, order.count + count > most { return .count }
      return nil
    }
  }

  private enum Excess {
    case cost, count
  }

  private let bays: InlineArray<16, Bay> = InlineArray { _ in Bay() }
  private let state = Mutex(State())

  // MARK: - Reading

  /// A key's value, which counts as used.
  func value(forKey key: String) -> Object? {
    let fingerprint = Fingerprint(of: key)
    return bays[fingerprint.shelf].use(key, fingerprint.tag)
  }

  var limits: MemoryLimits { state.withLock { $0.limits } }
  var totalCost: Int { state.withLock { Int(clamping: $0.order.cost) } }
  var count: Int { state.withLock { $0.order.count } }

  /// What has happened so far; of calls that run at the same time some may be in it.
  var statistics: MemoryCacheStatistics {
    var statistics = state.withLock { state in
      MemoryCacheStatistics(
        hits: 0, misses: 0, evictions: state.evictions, count: state.order.count,
        totalCost: Int(clamping: state.order.cost))
    }
    for index in 0..<Self.shelfCount {
      let requests = bays[index].requests
      statistics.hits += requests.hits
      statistics.misses += requests.misses
    }
    return statistics
  }

  // MARK: - Changing

  /// Keeps a value, and makes room for it first. One that is too large for the limits is not
  /// kept, and neither is what its key had.
  func setValue(_ value: Object, forKey key: String, cost: Int) -> Removed {
    let (fingerprint, cost) = (Fingerprint(of: key), max(0, cost))
    let (shelf, tag) = (fingerprint.shelf, fingerprint.tag)
    return state.withLock { state in
      var removed = Removed()
      let old = bays[shelf].node(of: key, tag)
      let queue = old.map { state.order.queue(of: $0) }
      if let old { state.order.remove(old) }
      guard state.limits.allow(cost) else {
        if let old { removed.replaced = bays[shelf].change { $0.remove(old, tag) } }
        return removed
      }
      makeRoom(for: cost, within: state.limits, &state, &removed)
      let place = EvictionOrder.Place(shelf: UInt8(shelf), tag: tag)
      let node = state.order.insert(place, cost: cost, in: queue)
      // What the key had stays until now: whoever reads meanwhile finds one of both.
      bays[shelf].change { shelf in
        if let old {
          removed.replaced = shelf.replace(old, tag, with: value, node: node)
        } else {
          shelf.insert(key, tag, value, node: node)
        }
      }
      return removed
    }
  }

  func removeValue(forKey key: String) -> Object? {
    let fingerprint = Fingerprint(of: key)
    let (shelf, tag) = (fingerprint.shelf, fingerprint.tag)
    return state.withLock { state in
      guard let node = bays[shelf].node(of: key, tag) else { return nil }
      state.order.remove(node)
      return bays[shelf].change { $0.remove(node, tag) }
    }
  }

  /// Takes everything out. The shelves that come back hold it.
  func removeAll() -> [Shelf] {
    state.withLock { state in
      state.order = EvictionOrder()
      return (0..<Self.shelfCount).map { index in bays[index].change { $0.removeAll() } }
    }
  }

  /// Sets limits, and makes what there is fit.
  func changeLimits(_ change: (inout MemoryLimits) -> Void) -> Removed {
    state.withLock { state in
      var removed = Removed()
      change(&state.limits)
      makeRoom(for: nil, within: state.limits, &state, &removed)
      return removed
    }
  }

  /// Makes what there is fit limits that hold this once.
  func trim(to limits: MemoryLimits) -> Removed {
    state.withLock { state in
      var removed = Removed()
      makeRoom(for: nil, within: limits, &state, &removed)
      return removed
    }
  }

  // MARK: - Making room

  private func makeRoom(
    for cost: Int?, within limits: MemoryLimits, _ state: inout State, _ removed: inout Removed
  ) {
    while let excess = state.excess(over: limits, adding: cost),
      let object = evict(for: excess, &state)
    {
      state.evictions += 1
      removed.evicted.append(object)
    }
  }

  private func evict(for excess: Excess, _ state: inout State) -> Object? {
    state.order.evictNext(byCost: excess == .cost) { node, place, inAnyCase in
      bays[Int(place.shelf)].change { shelf in
        inAnyCase ? shelf.remove(node, place.tag) : shelf.removeUnused(node, place.tag)
      }
    }
  }
}
