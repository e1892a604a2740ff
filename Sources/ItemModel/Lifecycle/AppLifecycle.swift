import Foundation
import LinuxSystem
import Synchronization

/// The states of an app's life, with the signals that end a program on Linux as a way to the
/// background.
///
/// ```swift
/// let lifecycle = AppLifecycle(signals: AppLifecycle.endingSignals)
/// let autosave = ItemAutosave(store, lifecycle: lifecycle)
/// ```
///
/// A front end says what its window does. SIGTERM, SIGINT and SIGHUP lead through the background,
/// where everything is saved, to the end: the program then ends by the signal, as its parent
/// expects. Another one after more than a second ends it at once. The names follow UIKit's; contract:
/// `UIApplicationDelegate`.
public final class AppLifecycle: Sendable {
  /// Where an app is in its life.
  public enum State: Hashable, Sendable, CaseIterable {
    /// In front, with the user's input.
    case active
    /// Visible without the user's input; every app begins here.
    case inactive
    /// Not visible. Everything is saved on the way here.
    case background
    /// About to end; there is no way back.
    case terminating
  }

  /// What ends a program: SIGTERM, SIGINT (control-C) and SIGHUP (the terminal was closed).
  public static let endingSignals: Set<Int32> = [SIGTERM, SIGINT, SIGHUP]

  /// Signals that follow each other within this time have one cause.
  private static let patience = Duration.seconds(1)

  private struct Shared: Sendable {
    var machine = LifecycleMachine()
    var work: [Int: @Sendable () -> Void] = [:]
    var observers: [Int: @Sendable (AppLifecycle.State) -> Void] = [:]
    var next = 0
    /// When the first signal has come.
    var endingSince: ContinuousClock.Instant?
  }

  private let shared = Mutex(Shared())
  /// Steps follow each other, and their work is done where nobody waits for a lock.
  private let queue = DispatchQueue(label: "AppLifecycle")
  private let signals: SignalReader?

  /// Begins an app's life, in ``State/inactive``.
  ///
  /// - Parameter signals: Which signals end the app through here, for as long as this object lives;
  ///   for instance ``endingSignals``. Only one object of a process can have any. One that the
  ///   program was started to ignore, as under `nohup`, stays ignored.
  public init(signals: Set<Int32> = []) {
    self.signals = signals.isEmpty ? nil : SignalReader()
    self.signals?.start(signals) { [weak self] signal in self?.end(by: signal) }
  }

  deinit { signals?.stop() }

  /// Where the app is.
  public var state: State { shared.withLock { $0.machine.state } }

  // MARK: - What the front end says

  /// The app has the user's input.
  public func didBecomeActive() { handle(.becomeActive) }

  /// The app is about to lose the user's input.
  public func willResignActive() { handle(.resignActive) }

  /// The app is not visible any more. Returns when everything is saved.
  public func didEnterBackground() { handle(.enterBackground) }

  /// The app is about to be visible.
  public func willEnterForeground() { handle(.enterForeground) }

  /// The app is about to end. Returns when everything is saved; the caller then ends the process.
  public func willTerminate() { handle(.terminate) }

  // MARK: - Who hears of it

  /// Adds what is to be done whenever the app enters the background, and before it ends.
  ///
  /// - Parameter work: Called on a queue of the lifecycle's own, one after the other; whoever
  ///   caused the step waits for it, so it must cause none itself.
  /// - Returns: For ``removeObserver(_:)``.
  @discardableResult
  public func onSave(_ work: @escaping @Sendable () -> Void) -> Int {
    shared.withLock { shared in
      shared.next += 1
      shared.work[shared.next] = work
      return shared.next
    }
  }

  /// Adds somebody who hears of each new state, also of those that are passed through.
  ///
  /// - Parameter observer: Called as work of ``onSave(_:)`` is, before it.
  /// - Returns: For ``removeObserver(_:)``.
  @discardableResult
  public func onChange(_ observer: @escaping @Sendable (State) -> Void) -> Int {
    shared.withLock { shared in
      shared.next += 1
      shared.observers[shared.next] = observer
      return shared.next
    }
  }

  /// Removes what ``onSave(_:)`` or ``onChange(_:)`` has added.
  public func removeObserver(_ number: Int) {
    shared.withLock { shared in
      shared.work[number] = nil
      shared.observers[number] = nil
    }
  }
}

// MARK: - Steps

extension AppLifecycle {
  private func handle(_ event: LifecycleMachine.Event) {
    queue.sync {
      for action in shared.withLock({ $0.machine.handle(event) }) {
        switch action {
        case .tell(let state):
          for observer in inOrder(shared.withLock { $0.observers }) { observer(state) }
        case .save:
          for work in inOrder(shared.withLock { $0.work }) { work() }
        }
      }
    }
  }

  private func inOrder<Value>(_ values: [Int: Value]) -> [Value] {
    values.sorted { $0.key < $1.key }.map(\.value)
  }

  /// On the signals' own queue: a second one is heard while the first one's work hangs.
  private func end(by signal: Int32) {
    let now = ContinuousClock.now
    let start = shared.withLock { shared in
      defer { shared.endingSince = shared.endingSince ?? now }
      return shared.endingSince
    }
    if let start {
      // A shell and the kernel both tell of a terminal that was closed, and systemd sends SIGHUP
      // right after SIGTERM when a user logs out: that is nobody's impatience.
      if now - start >= Self.patience { ProcessSignals.end(by: signal) }
      return
    }
    // Work that never waits may hold all threads that are shared.
    DispatchQueue(label: "AppLifecycle.end").async {
      self.handle(.terminate)
      ProcessSignals.end(by: signal)
    }
  }
}
