import LinuxSystem
import Synchronization

/// Calls back when a file changes, on a thread of its own, while somebody wants it.
///
/// The folder is watched, not the file: a file that is replaced is another one afterwards.
final class FileWatcher: Sendable {
  private struct State: Sendable {
    /// How many have started and not stopped.
    var users = 0
    /// The number of the thread that runs, so that an earlier one ends.
    var run = 0
    var isRunning = false
    var watch: (any DirectoryWatching)?
  }

  private let state = Mutex(State())

  init() {}

  deinit { end() }

  /// Whether a thread watches.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Begins to watch, where that has not begun. Each start needs a stop.
  ///
  /// - Parameters:
  ///   - path: The file, which may be a link or missing.
  ///   - changed: Called on the thread; false ends it.
  func start(_ path: String, changed: @escaping @Sendable () -> Bool) {
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
        while let watch = self?.makeWatch(path, run: run), changed() {
          Self.wait(for: path, with: watch) {
            self?.state.withLock { $0.run } == run && changed()
          }
        }
      }
    } catch {
      // Without a thread the list is still read again with every save and refresh.
      state.withLock { $0.isRunning = false }
    }
  }

  func stop() {
    let isLast = state.withLock { state in
      state.users = max(0, state.users - 1)
      return state.users == 0
    }
    if isLast { end() }
  }

  /// Ends the thread, whoever wants it.
  func end() {
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
  private func makeWatch(_ path: String, run: Int) -> (any DirectoryWatching)? {
    let folder = AtomicFile.folder(of: Self.target(of: path))
    // Read now and then where the folder is not there yet, or no more watches are to be had.
    let watch: any DirectoryWatching =
      (try? DirectoryWatch(folder: folder, contents: true))
      ?? DirectoryPoll(folder: folder, contents: true)
    return state.withLock { state in
      guard state.run == run else { return nil }
      state.watch = watch
      return watch
    }
  }

  /// Returns when another watch is needed, or none any more.
  private static func wait(
    for path: String, with watch: any DirectoryWatching, changed: () -> Bool
  ) {
    let name = target(of: path).split(separator: "/").last.map(String.init) ?? ""
    repeat {
      // The folder is gone, and may come back.
      guard let changes = try? watch.wait(until: nil) else { return }
      if !changes.names.isEmpty, !changes.names.contains(name), !changes.isIncomplete { continue }
      guard changed() else { return }
    } while watch is DirectoryWatch
  }

  private static func target(of path: String) -> String {
    (try? AtomicFile.followingLinks(path)) ?? path
  }
}
