import LinuxSystem
import Synchronization

/// Calls back when a file changes, on a thread of its own, while somebody wants it.
///
/// The folder is watched, not the file: a file that is replaced is another one afterwards.
package final class FileWatcher: Sendable {
  private struct State: Sendable {
    /// How many have started and not stopped.
    var users = 0
    /// The number of the thread that runs, so that an earlier one ends.
    var run = 0
    var isRunning = false
    var watch: (any DirectoryWatching)?
  }

  private let state = Mutex(State())

  package init() {}

  deinit { end() }

  /// Whether a thread watches.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Begins to watch, where that has not begun. Each start needs a stop.
  ///
  /// - Parameters:
  ///   - path: The file, which may be a link or missing.
  ///   - traces: What others' saves do to the folder.
  ///   - changed: Called on the thread; false ends it.
  package func start(
    _ path: String, _ traces: SaveTraces = .replacing, changed: @escaping @Sendable () -> Bool
  ) {
    let run: Int? = state.withLock { state in
      state.users += 1
      guard !state.isRunning else { return nil }
      state.isRunning = true
      state.run += 1
      return state.run
    }
    guard let run else { return }
    do throws(Errno) {
      try NamedThread.start("items-watch") { [weak self] in
        while let watch = self?.makeWatch(path, traces, run: run), changed() {
          Self.wait(for: path, traces, with: watch) {
            self?.state.withLock { $0.run } == run && changed()
          }
        }
      }
    } catch {
      // Without a thread the list is still read again with every save and refresh.
      state.withLock { $0.isRunning = false }
    }
  }

  package func stop() {
    let isLast = state.withLock { state in
      state.users = max(0, state.users - 1)
      return state.users == 0
    }
    if isLast { end() }
  }

  /// Ends the thread, whoever wants it.
  package func end() {
    let watch = state.withLock { state in
      state.isRunning = false
      state.run += 1
      defer { state.watch = nil }
      return state.watch
    }
    watch?.interrupt()
  }
}

// MARK: - The thread

extension FileWatcher {
  /// A watch for this run; nil where the run is over.
  private func makeWatch(
    _ path: String, _ traces: SaveTraces, run: Int
  ) -> (any DirectoryWatching)? {
    let folder = AtomicFile.folder(of: Self.target(of: path))
    // Read now and then where the folder is not there yet, or no more watches are to be had.
    let watch: any DirectoryWatching =
      (try? DirectoryWatch(folder: folder, contents: true, isGradual: traces.isGradual))
      ?? DirectoryPoll(folder: folder, contents: true)
    return state.withLock { state in
      guard state.run == run else { return nil }
      state.watch = watch
      return watch
    }
  }

  /// How long after a trace what was written counts at the latest, step by step: it may have to
  /// reach the disk first.
  private static let pauses: [UInt64] = [5_000_000, 50_000_000, 500_000_000, 2_000_000_000]

  /// Returns when another watch is needed, or none any more.
  private static func wait(
    for path: String, _ traces: SaveTraces, with watch: any DirectoryWatching,
    changed: () -> Bool
  ) {
    let name = target(of: path).split(separator: "/").last.map(String.init) ?? ""
    let names = Set(traces.suffixes.map { name + $0 })
    var pauses: ArraySlice<UInt64> = []
    repeat {
      // The folder is gone, and may come back.
      guard let changes = try? watch.wait(until: pauses.first.map { watch.now + $0 })
      else { return }
      if !changes.names.isEmpty, changes.names.isDisjoint(with: names), !changes.isIncomplete {
        continue
      }
      pauses = traces.isGradual && !changes.names.isEmpty ? Self.pauses[...] : pauses.dropFirst()
      guard changed() else { return }
    } while watch is DirectoryWatch
  }

  private static func target(of path: String) -> String {
    (try? AtomicFile.followingLinks(path)) ?? path
  }
}
