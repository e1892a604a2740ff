import Dispatch
import LinuxSystem
import Synchronization

/// Order among the calls for one key: loads that wait for the same thing share one piece of work,
/// changes come one after the other, and nothing is remembered that a change has overtaken.
///
/// A load whose picture was changed or deleted before it ended is overtaken: its outcome is given
/// to nobody, and whoever waited for it asks anew.
final class KeyTraffic: Sendable {
  /// What a load is for.
  struct Request: Hashable, Sendable {
    let key: String
    /// The longer side of a thumbnail in pixels; nil for the picture itself.
    var maxPixelSize: Int?
  }

  /// Whoever is to do the work, or has to wait until somebody else has done it.
  enum Role {
    case leader(Flight)
    case follower
  }

  /// A piece of work that several may wait for.
  struct Flight: Sendable {
    fileprivate let number: UInt64
    let request: Request
  }

  private struct FlightState {
    var number: UInt64
    var waiters: [LoadWaiter]
    /// Whether somebody does the work; otherwise it stands in a queue.
    var hasBegun: Bool
  }

  private struct Slot {
    var flights: [Request: FlightState] = [:]
    var isChanging = false
    var changes: [DispatchSemaphore] = []

    var isIdle: Bool { flights.isEmpty && !isChanging && changes.isEmpty }
  }

  private struct State {
    var slots: [String: Slot] = [:]
    var flightCount: UInt64 = 0
    /// How often all pictures were removed.
    var sweepCount = 0

    mutating func update<Result>(_ key: String, _ body: (inout Slot) -> Result) -> Result {
      let result = body(&slots[key, default: Slot()])
      if slots[key]?.isIdle == true { slots[key] = nil }
      return result
    }
  }

  /// A change may have to make room among tens of thousands of pictures; a disk that takes longer
  /// does not answer, and must not hold up everybody else who wants this key.
  static let usualPatience = DispatchTimeInterval.seconds(60)

  private let patience: DispatchTimeInterval
  private let state = Mutex(State())

  /// - Parameter patience: How long a change waits for others of its key.
  init(patience: DispatchTimeInterval = KeyTraffic.usualPatience) { self.patience = patience }
}

// MARK: - Loads

extension KeyTraffic {
  /// Begins a load, or joins the one that is under way.
  ///
  /// A load that stands in a queue has not begun: whoever comes leads it as well, so that nobody
  /// who is in a hurry waits behind those who are not.
  ///
  /// - Parameters:
  ///   - request: What is to be loaded.
  ///   - leading: Gets the outcome too where the caller leads; nil where it does the work itself,
  ///     at once. Others have to `begin` it first.
  ///   - following: Gets the outcome where somebody else does the work.
  /// - Returns: Whether the caller has to see to it that the work is done, and `land` it.
  func join(_ request: Request, leading: LoadWaiter?, following: LoadWaiter) -> Role {
    state.withLock { state in
      guard var flight = state.slots[request.key]?.flights[request] else {
        state.flightCount += 1
        let number = state.flightCount
        state.slots[request.key, default: Slot()].flights[request] = FlightState(
          number: number, waiters: leading.map { [$0] } ?? [], hasBegun: leading == nil)
        return .leader(Flight(number: number, request: request))
      }
      let role: Role =
        flight.hasBegun ? .follower : .leader(Flight(number: flight.number, request: request))
      if leading != nil || flight.hasBegun {
        flight.waiters.append(following)
      } else {
        flight.hasBegun = true
      }
      state.slots[request.key]?.flights[request] = flight
      return role
    }
  }

  /// Ends a load: all who wait get its outcome.
  ///
  /// - Parameters:
  ///   - flight: The load.
  ///   - outcome: What came of it.
  ///   - remember: Called unless the load was overtaken, and before anybody can change what it
  ///     loaded. Must not wait and must not call this.
  /// - Returns: Whether the load was not overtaken.
  func land(
    _ flight: Flight, _ outcome: LoadOutcome, remember: () -> Released
  ) -> Bool {
    let (waiters, _) = state.withLock { state -> ([LoadWaiter]?, Released) in
      guard state.slots[flight.request.key]?.flights[flight.request]?.number == flight.number
      else { return (nil, nil) }
      let released = remember()
      let waiters = state.update(flight.request.key) {
        $0.flights.removeValue(forKey: flight.request)?.waiters
      }
      return (waiters, released)
    }
    for waiter in waiters ?? [] { waiter.answer(.loaded(outcome)) }
    return waiters != nil
  }

  /// Begins a load that stood in a queue.
  ///
  /// - Returns: Whether the caller is to do the work. Somebody else may do it by now; and where
  ///   nobody waits for it any more, it is over.
  func begin(_ flight: Flight) -> Bool {
    state.withLock { state in
      state.update(flight.request.key) { slot in
        guard let now = slot.flights[flight.request], now.number == flight.number, !now.hasBegun
        else { return false }
        let isWanted = !now.waiters.isEmpty
        if isWanted {
          slot.flights[flight.request]?.hasBegun = true
        } else {
          slot.flights[flight.request] = nil
        }
        return isWanted
      }
    }
  }

  /// One who waited does so no longer.
  func leave(_ request: Request, _ waiter: LoadWaiter) {
    state.withLock {
      $0.slots[request.key]?.flights[request]?.waiters.removeAll { $0 === waiter }
    }
  }
}

// MARK: - Changes

extension KeyTraffic {
  /// Changes a key's picture, when nobody else in this process does.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - body: Does it; it may wait for the disk.
  ///   - remember: Called where `body` has not thrown, before a load or another change can see the
  ///     key; with nil where all pictures were removed meanwhile. Must not wait and must not call
  ///     this.
  /// - Throws: What `body` throws, and `failed` where another change of the key does not end.
  func change<Result>(
    _ key: String, _ body: () throws(ImageStoreError) -> Result, remember: (Result?) -> Released
  ) throws(ImageStoreError) {
    let sweepCount = try beginChange(key)
    let result: Result
    do {
      result = try body()
    } catch {
      endChange(key) { _ in nil }
      throw error
    }
    endChange(key) { remember($0 == sweepCount ? result : nil) }
  }

  private func beginChange(_ key: String) throws(ImageStoreError) -> Int {
    let turn = DispatchSemaphore(value: 0)
    let sweepCount = state.withLock { state -> Int? in
      if state.slots[key]?.isChanging == true {
        state.slots[key]?.changes.append(turn)
        return nil
      }
      state.slots[key, default: Slot()].isChanging = true
      return state.sweepCount
    }
    if let sweepCount { return sweepCount }
    if turn.wait(timeout: .now() + patience) == .timedOut {
      let hasLeft = state.withLock { state in
        state.update(key) { slot in
          let index = slot.changes.firstIndex { $0 === turn }
          if let index { slot.changes.remove(at: index) }
          return index != nil
        }
      }
      // Otherwise the turn came at this very moment.
      if hasLeft {
        throw ImageStoreError(
          .failed, "Another change of “\(key)” has not ended: the disk does not answer",
          errno: Errno.timedOut.rawValue)
      }
    }
    return state.withLock { $0.sweepCount }
  }

  /// Gives the turn on, and tells those who wait for a load that it is overtaken: a change that
  /// has failed may have been made in part.
  private func endChange(_ key: String, _ remember: (Int) -> Released) {
    let (overtaken, next, _) = state.withLock { state in
      let released = remember(state.sweepCount)
      return state.update(key) { slot in
        defer { slot.flights = [:] }
        let next = slot.changes.isEmpty ? nil : slot.changes.removeFirst()
        slot.isChanging = next != nil
        return (slot.flights.values.flatMap(\.waiters), next, released)
      }
    }
    next?.signal()
    for waiter in overtaken { waiter.answer(.overtaken) }
  }

  /// Says that somebody else has changed a key's picture.
  ///
  /// - Parameters:
  ///   - key: The key; nil for all of them.
  ///   - isKnown: Whether the change is this store's own after all; asked when none of its own is
  ///     being noted.
  ///   - forget: Called before a load can see the key. Must not wait and must not call this.
  func overtake(
    _ key: String?, unless isKnown: () -> Bool = { false }, forget: () -> Released
  ) {
    let (overtaken, _) = state.withLock { state -> ([LoadWaiter], Released) in
      if isKnown() { return ([], nil) }
      let released = forget()
      if key == nil { state.sweepCount += 1 }
      var waiters: [LoadWaiter] = []
      for key in key.map({ [$0] }) ?? Array(state.slots.keys) where state.slots[key] != nil {
        state.update(key) { slot in
          waiters += slot.flights.values.flatMap(\.waiters)
          slot.flights = [:]
        }
      }
      return (waiters, released)
    }
    for waiter in overtaken { waiter.answer(.overtaken) }
  }
}
