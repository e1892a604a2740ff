import LinuxSystem
import Synchronization

/// Memory pressure as the kernel reports it.
///
/// - Where the kernel has pressure stall information, through triggers of this process's control
///   group (version 2), or else of the whole system: `trim` when some process has waited for memory
///   for 100 of 2000 milliseconds, `flush` after 400, and `flushAndGiveBack` when all have waited
///   for 200. While it lasts, each is told every two seconds.
/// - Where a control group limits this process, also when it meets the limit: `memory.high` is
///   `trim`, `memory.max` is `flush`, and a process that was ended is `flushAndGiveBack`.
/// - There, and where the kernel has no triggers, by a look every second at how full the group or
///   the machine is: 85 % is `trim`, 92 % `flush`, 97 % `flushAndGiveBack`; again every ten seconds
///   while it lasts. Cached files do not count.
///
/// One thread, `mem-pressure`, waits while somebody is subscribed. Handlers are called on it.
public final class SystemMemoryPressure: MemoryPressureSource {
  /// The source for this process.
  public static let shared: SystemMemoryPressure = SystemMemoryPressure()

  private let handlers = PressureHandlers()
  private let makeWatch: @Sendable () throws(Errno) -> MemoryPressureWatch
  /// Held while a watch begins or ends, which takes a few system calls that do not block.
  private let state = Mutex(State())

  private struct State: Sendable {
    var subscribers = 0
    var watch: MemoryPressureWatch?
  }

  /// Makes a source with a thread of its own; ``shared`` is enough for most.
  public convenience init() {
    self.init { () throws(Errno) in try MemoryPressureWatch() }
  }

  init(makeWatch: @escaping @Sendable () throws(Errno) -> MemoryPressureWatch) {
    self.makeWatch = makeWatch
  }

  deinit { state.withLock { $0.watch }?.stop() }

  /// Whether the kernel is being asked: somebody is subscribed, and there were descriptors and a
  /// thread for it.
  public var isWatching: Bool { state.withLock { $0.watch != nil } }

  /// Asks to be told; see ``MemoryPressureSource``.
  ///
  /// Where the process has no descriptors or threads left, nobody is told until the next
  /// subscription finds some.
  ///
  /// - Parameter handler: Called on the source's thread.
  /// - Returns: What keeps the handler being called, and the source alive.
  public func subscribe(
    _ handler: @escaping @Sendable (MemoryPressureLevel) -> Void
  ) -> MemoryPressureSubscription {
    let number = handlers.add(handler)
    begin()
    return MemoryPressureSubscription {
      self.handlers.remove(number)
      self.end()
    }
  }

  private func begin() {
    state.withLock { state in
      state.subscribers += 1
      guard state.watch == nil, let watch = try? makeWatch() else { return }
      do throws(Errno) {
        try NamedThread.start("mem-pressure") { [handlers] in
          while let level = watch.next() { handlers.tell(MemoryPressureLevel(level)) }
        }
        state.watch = watch
      } catch {
        // No thread to be had: the watch goes, and the next subscription tries again.
      }
    }
  }

  private func end() {
    state.withLock { state in
      state.subscribers -= 1
      guard state.subscribers == 0 else { return }
      state.watch?.stop()
      state.watch = nil
    }
  }
}

extension MemoryPressureLevel {
  init(_ level: PressureLevel) {
    self =
      switch level {
      case .trim: .trim
      case .flush: .flush
      case .giveBack: .flushAndGiveBack
      }
  }
}
