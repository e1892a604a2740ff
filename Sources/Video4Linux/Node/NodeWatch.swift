package import LinuxSystem
import Synchronization

/// Says when the machine's video nodes may have changed, as long as somebody wants to know.
///
/// It has a thread, which waits in the kernel, and two descriptors: see ``stop()``.
package final class NodeWatch: Sendable {
  package enum Event: Hashable, Sendable {
    /// Nodes came, went, or may be used otherwise than before.
    case nodesMayHaveChanged
    /// The system has no watches left, or took this one away: the folder is read now and then.
    case isDelayed(Errno)
  }

  private struct State {
    var source: any DirectoryWatching
    var isStopped = false
  }

  private let kernel: any Kernel
  private let roots: DeviceRoots
  private let substitute: @Sendable (String) -> any DirectoryWatching
  private let onEvent: @Sendable (Event) -> Void
  private let state: Mutex<State>

  /// Begins to watch: changes from now on are not lost.
  /// - Parameters:
  ///   - kernel: Who opens nodes.
  ///   - roots: Where they are.
  ///   - watch: Watches a folder; fails where the system has no watches left.
  ///   - substitute: Watches it then.
  ///   - onEvent: Called on the watch's own thread, one call after the other.
  /// - Throws: `again` where there is no room for a thread.
  package init(
    kernel: any Kernel, roots: DeviceRoots,
    watch: (String) throws(Errno) -> any DirectoryWatching = { path throws(Errno) in
      try DirectoryWatch(folder: path)
    },
    substitute: @escaping @Sendable (String) -> any DirectoryWatching = {
      DirectoryPoll(folder: $0, matching: NodeChanges.isNode)
    },
    onEvent: @escaping @Sendable (Event) -> Void
  ) throws(Errno) {
    self.kernel = kernel
    self.roots = roots
    self.substitute = substitute
    self.onEvent = onEvent
    var failure: Errno?
    let source: any DirectoryWatching
    do {
      source = try watch(roots.dev)
    } catch {
      failure = error
      source = substitute(roots.dev)
    }
    state = Mutex(State(source: source))
    let reason = failure
    try NamedThread.start("camera-watch", stackByteCount: 1 << 18) { [self] in
      if let reason { onEvent(.isDelayed(reason)) }
      run(isSubstituted: reason != nil)
    }
  }

  /// Ends the watch; its thread and descriptors are gone a moment later. From any thread, any
  /// number of times.
  package func stop() {
    let source = state.withLock { state in
      state.isStopped = true
      return state.source
    }
    source.interrupt()
  }
}

// MARK: - On the watch's thread

extension NodeWatch {
  private func run(isSubstituted: Bool) {
    var isSubstituted = isSubstituted
    var changes = NodeChanges()
    while let source = state.withLock({ $0.isStopped ? nil : $0.source }) {
      do {
        changes.notice(try source.wait(until: changes.deadline), at: source.now)
      } catch {
        // What replaces a folder that is gone is not there yet: it is waited for by reading.
        guard !isSubstituted else { return }
        isSubstituted = true
        let substitute = substitute(roots.dev)
        state.withLock { $0.source = substitute }
        onEvent(.isDelayed(error))
        changes.notice(DirectoryChanges(isIncomplete: true), at: substitute.now)
        continue
      }
      for name in changes.trialsDue(at: source.now) {
        changes.tried(name, readiness(of: name), at: source.now)
      }
      if changes.takeReport(at: source.now) { onEvent(.nodesMayHaveChanged) }
    }
  }

  private func readiness(of name: String) -> NodeChanges.Readiness {
    do {
      _ = try VideoNode(anyNodeAt: "\(roots.dev)/\(name)", kernel: kernel, roots: roots)
      return .ready
    } catch {
      switch (error.code, error.errno) {
      case (_, .noEntry?): return .gone
      case (.noDevice, _), (.disconnected, _): return .notYet
      default: return .ready
      }
    }
  }
}
