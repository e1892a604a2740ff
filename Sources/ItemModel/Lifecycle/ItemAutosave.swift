import Foundation
import Synchronization

/// Saves a store by itself: soon after an edit, when the app enters the background, and at the end.
///
/// A kill that nobody can handle loses at most the interval: the first edit that is not saved
/// starts it, and further ones do not put it off. Keep the object; when it goes, it saves once more
/// and stops. A store has one of these; a new one takes the place of the old one.
public final class ItemAutosave: Sendable {
  private let store: ItemStore
  private let interval: Duration
  private let failed: @Sendable (ItemStoreError) -> Void
  private let lifecycle: AppLifecycle?
  private let schedule: Schedule

  /// When the next save is due; shared with the store, which does not keep this object.
  private final class Schedule: Sendable {
    let isDue = Mutex(false)
    let failures = Mutex(0)
    let observer = Mutex<Int?>(nil)
    /// Has a thread also where work that never waits holds all of those that are shared.
    let queue = DispatchQueue(label: "ItemAutosave", qos: .utility)
  }

  /// Begins to save a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - interval: How long an edit may be unsaved.
  ///   - lifecycle: Whose background and end save at once.
  ///   - failed: Told of each save that failed, on a thread of its own or on the one that saves; it
  ///     is tried again after the interval, then after twice as long, up to a minute.
  public init(
    _ store: ItemStore, interval: Duration = .seconds(1), lifecycle: AppLifecycle? = nil,
    failed: @escaping @Sendable (ItemStoreError) -> Void = { _ in }
  ) {
    self.store = store
    self.interval = interval
    self.lifecycle = lifecycle
    self.failed = failed
    schedule = Schedule()
    let plan: @Sendable () -> Void = { [weak self] in self?.plan(after: interval) }
    store.core.state.withLock {
      $0.autosave = StoreState.Autosave(owner: ObjectIdentifier(schedule), plan)
    }
    let number = lifecycle?.onSave { [weak self] in self?.flush() }
    schedule.observer.withLock { $0 = number }
    if store.hasUnsavedChanges { plan() }
  }

  deinit {
    store.core.state.withLock { state in
      // Another one may have taken its place.
      if state.autosave?.owner == ObjectIdentifier(schedule) { state.autosave = nil }
    }
    if let number = schedule.observer.withLock({ $0 }) { lifecycle?.removeObserver(number) }
    // Nothing may be planned any more.
    if let error = save() { failed(error) }
  }

  /// Saves now what is unsaved; a failure is told as any other.
  public func flush() {
    guard let error = save() else { return schedule.failures.withLock { $0 = 0 } }
    failed(error)
    let failures = schedule.failures.withLock { failures in
      failures += 1
      return failures
    }
    let longest = Duration.seconds(60)
    // An interval of centuries must not be doubled.
    plan(
      after: max(interval, min(min(interval, longest) * (1 << min(failures - 1, 10)), longest)))
  }

  private func save() -> ItemStoreError? {
    guard store.hasUnsavedChanges else { return nil }
    do throws(ItemStoreError) {
      try store.saveChanges()
      return nil
    } catch {
      return error
    }
  }

  private func plan(after delay: Duration) {
    let isNew = schedule.isDue.withLock { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isNew else { return }
    schedule.queue.asyncAfter(deadline: .now() + delay.dispatch) {
      [weak self] in
      guard let self else { return }
      // An edit from now on begins an interval of its own.
      schedule.isDue.withLock { $0 = false }
      flush()
    }
  }
}

extension Duration {
  fileprivate var dispatch: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return .never }
    return .nanoseconds(Int(nanoseconds) + Int(attoseconds / 1_000_000_000))
  }
}
