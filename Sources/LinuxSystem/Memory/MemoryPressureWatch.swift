import Glibc
import Synchronization

/// Waits until memory becomes short, for this process or for all. One thread waits; stopping is for any.
///
/// The kernel says it through ``StallTrigger``, and through the events of a control group that meets its limit.
/// Where the process's groups have a limit, or the kernel has no triggers, it also looks now and then:
/// a group without swap goes from full to ended faster than anybody can wait for memory.
package final class MemoryPressureWatch: Sendable {
  private struct State: Sendable {
    var triggers: [StallTrigger]
    var events: MemoryEvents?
    /// Nil where there is none, or none any more.
    var eventsFile: Descriptor?
    var judges: [PressureJudge]
  }

  private let kernel: any Kernel
  private let interval: UInt64
  private let uses: [MemoryUse]
  /// Of the innermost group with a limit.
  private let eventsPath: String?
  private let wake: WakeEvent
  /// For when the kernel does not even wait.
  private let pause = WakeSemaphore()
  private let isStopped = Atomic(false)
  private let state: Mutex<State>

  /// - Parameters:
  ///   - roots: Where the kernel's files are.
  ///   - kernel: Who waits.
  ///   - nanoseconds: The time from one look to the next, where it looks.
  /// - Throws: `tooManyOpenFiles` where there is not even a descriptor to be stopped with.
  package init(
    roots: DeviceRoots = DeviceRoots(), kernel: any Kernel = LinuxKernel(),
    every nanoseconds: UInt64 = 1_000_000_000
  ) throws(Errno) {
    self.kernel = kernel
    interval = nanoseconds
    wake = try WakeEvent()
    let groups = ControlGroups(roots: roots)
    uses = MemoryUse.all(groups, roots)
    eventsPath = uses.lazy.compactMap(\.eventsPath).first
    let eventsFile = eventsPath.flatMap { path in
      (try? kernel.open(path, flags: O_RDONLY | O_CLOEXEC))
        .map { Descriptor(owning: $0, of: kernel) }
    }
    state = Mutex(
      State(
        triggers: StallTrigger.all(groups, roots, of: kernel),
        events: eventsPath.flatMap(MemoryEvents.init), eventsFile: eventsFile,
        judges: uses.map { _ in PressureJudge() }))
  }

  /// Waits until memory becomes short, or goes on being so.
  /// - Returns: How short it is; nil after ``stop()``.
  package func next() -> PressureLevel? {
    while !isStopped.load(ordering: .acquiring) {
      let (triggers, eventsFile) = state.withLock { ($0.triggers, $0.eventsFile) }
      let fired = wait(for: triggers, eventsFile)
      guard !isStopped.load(ordering: .acquiring) else { break }
      let level = state.withLock { state in
        state.triggers.removeAll { trigger in fired.gone.contains { $0 === trigger } }
        return [fired.level, levelOfEvents(&state), levelOfUse(&state)].compactMap(\.self).max()
      }
      if let level { return level }
    }
    return nil
  }

  /// Ends a waiting call, and all later ones.
  package func stop() {
    isStopped.store(true, ordering: .releasing)
    wake.signal()
    pause.signal()
  }

  // MARK: - Waiting

  private func looks(with triggers: [StallTrigger]) -> Bool {
    triggers.isEmpty || uses.contains { $0.isGroup }
  }

  private func wait(
    for triggers: [StallTrigger], _ eventsFile: Descriptor?
  ) -> (level: PressureLevel?, gone: [StallTrigger]) {
    let urgent = Int16(POLLPRI)
    var entries = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
    entries += triggers.map { pollfd(fd: $0.descriptor, events: urgent, revents: 0) }
    if let eventsFile {
      entries.append(pollfd(fd: eventsFile.rawValue, events: urgent, revents: 0))
    }
    let time = looks(with: triggers) ? Int32(clamping: max(1, interval / 1_000_000)) : -1
    do throws(Errno) {
      _ = try unsafe entries.withUnsafeMutableBufferPointer { entries throws(Errno) in
        try unsafe kernel.poll(entries, timeoutMilliseconds: time)
      }
    } catch {
      // A signal counts as a look; nothing depends on when those are. What else there is, hardly any
      // memory for instance, does not go away by asking at once again.
      if error != .interrupted { _ = pause.wait(until: kernel.monotonicNanoseconds() + interval) }
      return (nil, [])
    }
    var (level, gone): (PressureLevel?, [StallTrigger]) = (nil, [])
    for (trigger, entry) in zip(triggers, entries.dropFirst()) {
      // The group has been removed: nothing will ever come from there.
      if entry.revents & Int16(POLLERR | POLLNVAL) != 0 {
        gone.append(trigger)
      } else if entry.revents & urgent != 0 {
        level = max(level ?? trigger.level, trigger.level)
      }
    }
    return (level, gone)
  }

  // MARK: - Looking

  private func levelOfEvents(_ state: inout State) -> PressureLevel? {
    guard let eventsPath, let earlier = state.events else { return nil }
    // Reading through the watched descriptor is what makes the kernel signal the next change.
    state.eventsFile.map { Self.readAgain($0) }
    guard let now = MemoryEvents(at: eventsPath) else {
      // The process is in another group now, and its old one was removed: the kernel would call
      // for that without end.
      state.eventsFile = nil
      return nil
    }
    state.events = now
    return now.level(since: earlier)
  }

  private static func readAgain(_ file: Descriptor) {
    var byte: UInt8 = 0
    _ = unsafe pread(file.rawValue, &byte, 1, 0)
  }

  private func levelOfUse(_ state: inout State) -> PressureLevel? {
    guard looks(with: state.triggers) else { return nil }
    let now = kernel.monotonicNanoseconds()
    var worst: PressureLevel?
    for (index, use) in uses.enumerated() {
      guard let part = use.part else { continue }
      if let level = state.judges[index].level(usedPart: part, at: now) {
        worst = max(worst ?? level, level)
      }
    }
    return worst
  }
}
