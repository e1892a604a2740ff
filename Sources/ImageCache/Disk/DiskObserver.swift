import LinuxSystem
import Synchronization

/// Which pictures have changed in a folder, whoever did it.
struct DiskChanges: Hashable, Sendable {
  /// Keys whose pictures came, went or were replaced.
  var keys: Set<String> = []
  /// Whether it may be any others too.
  var isIncomplete = false
}

/// Tells of changes in a tier's folder, from a thread of its own, for as long as it lives.
///
/// The tier's own changes are told too: who has a picture of a key in memory compares
/// `DiskTier.stamp(forKey:)` with what its file was then. Reading is no change.
final class DiskObserver: Sendable {
  /// Where the kernel cannot tell, the folder is looked at this often, in nanoseconds.
  static let interval: UInt64 = 400_000_000

  /// Changes that follow one another are told together, after this time in nanoseconds.
  static let pause: UInt64 = 100_000_000

  private let loop: Loop

  /// - Parameters:
  ///   - tier: The tier; it is not kept.
  ///   - usesKernel: Whether the kernel is asked to tell; tests do without.
  ///   - handler: Called on the thread, a fraction of a second after a change at the latest.
  /// - Throws: `again` where there is no room for a thread.
  init(
    _ tier: DiskTier, usesKernel: Bool = true, _ handler: @escaping @Sendable (DiskChanges) -> Void
  ) throws(Errno) {
    let loop = Loop(
      folder: tier.layout.folder, longKeys: tier.longKeys, usesKernel: usesKernel, handler: handler)
    self.loop = loop
    // Changes from here on are told, not only those after the thread has begun.
    let watch = loop.makeWatch()
    try NamedThread.start("pictures") { loop.run(watch) }
  }

  deinit { loop.stop() }
}

/// What the thread does.
private final class Loop: Sendable {
  private struct State {
    var isStopped = false
    var watch: (any DirectoryWatching)?
  }

  private let folder: String
  private let longKeys: LongKeys
  private let usesKernel: Bool
  private let handler: @Sendable (DiskChanges) -> Void
  private let state = Mutex(State())
  private let wake = WakeSemaphore()

  init(
    folder: String, longKeys: LongKeys, usesKernel: Bool,
    handler: @escaping @Sendable (DiskChanges) -> Void
  ) {
    self.folder = folder
    self.longKeys = longKeys
    self.usesKernel = usesKernel
    self.handler = handler
  }

  func stop() {
    let watch = state.withLock { state in
      state.isStopped = true
      return state.watch
    }
    wake.signal()
    watch?.interrupt()
  }

  /// nil where the folder is not there.
  func makeWatch() -> (any DirectoryWatching)? {
    if usesKernel {
      do throws(Errno) {
        return try DirectoryWatch(folder: folder, contents: true)
      } catch {
        if error == .noEntry { return nil }
      }
    }
    return DirectoryPoll(
      folder: folder, every: DiskObserver.interval, contents: true, matching: FileName.isPicture)
  }

  func run(_ first: (any DirectoryWatching)?) {
    var watch = first
    while true {
      let isStopped = state.withLock { state in
        state.watch = watch
        return state.isStopped
      }
      if isStopped { return }
      if let current = watch {
        do throws(Errno) {
          tell(try current.wait(until: nil))
          // What follows at once is told together: a thread that is woken by each of the store's own
          // pictures would cost as much as keeping them.
          _ = wake.wait(until: LinuxKernel().monotonicNanoseconds() + DiskObserver.pause)
          continue
        } catch {
          // The folder is gone, or is another one now.
          watch = nil
        }
      } else {
        _ = wake.wait(until: LinuxKernel().monotonicNanoseconds() + DiskObserver.interval)
        watch = makeWatch()
        if watch == nil { continue }
      }
      handler(DiskChanges(isIncomplete: true))
    }
  }

  private func tell(_ changes: DirectoryChanges) {
    var told = DiskChanges(isIncomplete: changes.isIncomplete)
    for name in changes.names {
      if let key = FileName.key(of: name) ?? longKeys.key(of: name) {
        told.keys.insert(key)
      } else if FileName.isHashed(name) {
        told.isIncomplete = true
      }
    }
    if told.isIncomplete || !told.keys.isEmpty { handler(told) }
  }
}
