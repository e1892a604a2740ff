import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct MemoryPressureWatchTests {
  private let machine: FakeMemory

  init() throws { machine = try FakeMemory() }

  /// A group with stall information and a limit of 100 MB, of which a tenth is used.
  private func makeGroup() {
    machine.groups("0::/box/app")
    machine.limit("some avg10=0.00\nfull avg10=0.00", at: "box/app/memory.pressure")
    machine.limit("max", at: "box/app/memory.max")
    machine.limit("100000000", at: "box/memory.max")
    use(10_000_000)
    events(high: 0, max: 0)
  }

  private func use(_ bytes: Int, cached: Int = 0) {
    machine.limit("anon 5\ninactive_file \(cached)\nslab 3", at: "box/memory.stat")
    machine.limit("\(bytes)", at: "box/memory.current")
  }

  private func events(high: Int, max: Int, oom: Int = 0, kills: Int = 0) {
    machine.limit(
      "low 0\nhigh \(high)\nmax \(max)\noom \(oom)\noom_kill \(kills)", at: "box/memory.events")
  }

  private func watch(_ script: [[Int: Int32]] = []) throws -> MemoryPressureWatch {
    try MemoryPressureWatch(
      roots: machine.roots, kernel: ScriptedPoll(script), every: 1_000_000)
  }

  /// Where there is no memory even for that, for instance.
  @Test func doesNotSpinWhereTheKernelDoesNotWait() async throws {
    makeGroup()
    let kernel = ScriptedPoll([], fails: true)
    let watch = try MemoryPressureWatch(roots: machine.roots, kernel: kernel, every: 20_000_000)
    let thread = Task.detached { watch.next() }
    try await Task.sleep(for: .milliseconds(200))
    watch.stop()

    #expect(await thread.value == nil)
    #expect((2...12).contains(kernel.calls.count))
  }

  // MARK: - Triggers

  @Test(arguments: [(1, PressureLevel.trim), (2, .flush), (3, .giveBack)])
  func saysHowLongProcessesWaited(entry: Int, level: PressureLevel) throws {
    makeGroup()
    #expect(try watch([[:], [entry: POLLPRI]]).next() == level)
  }

  @Test func saysTheWorstOfThoseThatFireTogether() throws {
    makeGroup()
    #expect(try watch([[1: POLLPRI, 2: POLLPRI]]).next() == .flush)
  }

  @Test func asksTheKernelInItsWords() throws {
    makeGroup()
    let watch = try watch()
    // A file of the test's takes all of them at its beginning.
    let text = try machine.folder.text(of: "sys/fs/cgroup/box/app/memory.pressure")
    #expect(text.hasPrefix("full 200000 2000000\0"))
    #expect(StallTrigger.text(of: .trim) == "some 100000 2000000")
    #expect(StallTrigger.text(of: .flush) == "some 400000 2000000")
    watch.stop()
  }

  @Test func asksForTheWholeSystemWhereTheGroupHasNoStallInformation() throws {
    machine.folder.file("proc/pressure/memory", "some avg10=0.00\n")
    let kernel = ScriptedPoll([[1: POLLPRI]])
    let watch = try MemoryPressureWatch(roots: machine.roots, kernel: kernel, every: 1_000_000)
    #expect(watch.next() == .trim)
    #expect(kernel.calls == [.init(entries: 4, milliseconds: -1)], "it looks without need")
    let text = try machine.folder.text(of: "proc/pressure/memory")
    #expect(text.hasPrefix("full 200000 2000000\0"))
  }

  @Test func looksWhereATriggersGroupHasGone() throws {
    machine.folder.file("proc/pressure/memory")
    let watch = try watch([[1: POLLERR, 2: POLLERR | POLLPRI, 3: POLLNVAL]])
    machine.folder.file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 20 kB\n")
    #expect(watch.next() == .giveBack)
  }

  // MARK: - Events of a group

  @Test(arguments: [(1, 0, 0, PressureLevel.trim), (1, 1, 0, .flush), (1, 1, 1, .giveBack)])
  func saysThatAGroupMetItsLimit(high: Int, max: Int, oom: Int, level: PressureLevel) throws {
    makeGroup()
    let watch = try watch()
    events(high: high, max: max, oom: oom)
    #expect(watch.next() == level)
  }

  @Test func saysEachEventOnce() throws {
    makeGroup()
    events(high: 7, max: 3)
    let watch = try watch([[4: POLLPRI], [4: POLLPRI]])
    events(high: 8, max: 3)
    #expect(watch.next() == .trim)
    events(high: 8, max: 4)
    #expect(watch.next() == .flush)
  }

  @Test func saysThatAProcessOfTheGroupWasEnded() throws {
    makeGroup()
    let watch = try watch()
    events(high: 0, max: 0, kills: 1)
    #expect(watch.next() == .giveBack)
  }

  /// The kernel goes on calling for the files of a group that was removed.
  @Test func asksNoMoreForTheEventsOfAGroupThatHasGone() throws {
    makeGroup()
    let kernel = ScriptedPoll([[4: POLLERR | POLLPRI], [1: POLLPRI]])
    let watch = try MemoryPressureWatch(roots: machine.roots, kernel: kernel, every: 1_000_000)
    try FileManager.default.removeItem(
      atPath: machine.folder.path + "/sys/fs/cgroup/box/memory.events")
    #expect(watch.next() == .trim)
    #expect(kernel.calls.map(\.entries) == [5, 4])
    #expect(kernel.calls.map(\.milliseconds) == [1, 1])
  }

  // MARK: - Looking

  @Test(arguments: ["memory.high", "memory.max"]) func goesByTheLowerLimit(name: String) throws {
    makeGroup()
    machine.limit("200000000", at: "box/memory.max")
    machine.limit("200000000", at: "box/memory.high")
    machine.limit("50000000", at: "box/\(name)")
    let watch = try watch()
    use(47_000_000)
    #expect(watch.next() == .flush)
  }

  @Test func seesThatAGroupIsNearlyFull() throws {
    makeGroup()
    let watch = try watch()
    use(86_000_000)
    #expect(watch.next() == .trim)
    use(98_000_000)
    #expect(watch.next() == .giveBack)
  }

  @Test func doesNotCountWhatTheKernelCanDrop() throws {
    makeGroup()
    let watch = try watch([[:], [:], [1: POLLPRI]])
    use(99_000_000, cached: 60_000_000)
    #expect(watch.next() == .trim, "the trigger's, and none before")
    use(99_000_000, cached: 5_000_000)
    #expect(watch.next() == .flush)
  }

  @Test func readsVersionOne() throws {
    machine.folder.file(
      "proc/self/mountinfo",
      "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
    machine.groups("4:memory:/box")
    machine.limit("100000000", at: "memory/box/memory.limit_in_bytes")
    machine.limit("93000000", at: "memory/box/memory.usage_in_bytes")
    machine.limit("inactive_file 90000000\ntotal_inactive_file 0", at: "memory/box/memory.stat")
    #expect(try watch().next() == .flush)
  }

  /// Version 1 says so with a number.
  @Test func takesNoLimitForNone() throws {
    machine.folder.file(
      "proc/self/mountinfo",
      "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
    machine.groups("4:memory:/box")
    machine.limit("9223372036854771712", at: "memory/box/memory.limit_in_bytes")
    machine.limit("93000000", at: "memory/box/memory.usage_in_bytes")
    let watch = try watch()
    machine.folder.file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 20 kB\n")
    #expect(watch.next() == .giveBack)
  }

  @Test func looksAtTheMachineWhereNothingElseIsThere() throws {
    let watch = try watch()
    machine.folder.file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 120 kB\n")
    #expect(watch.next() == .trim)
  }

  // MARK: - Ending

  @Test func stopsFromAnyThread() throws {
    makeGroup()
    let watch = try watch()
    let thread = Thread { watch.stop() }
    thread.start()
    #expect(watch.next() == nil)
    #expect(watch.next() == nil)
  }

  @Test func keepsNothingOpen() throws {
    makeGroup()
    let before = try openFiles()
    for _ in 0..<20 { try watch().stop() }
    #expect(try openFiles() == before)
    do {
      let watch = try watch()
      #expect(try openFiles() == before + 4, "three triggers and the events")
      watch.stop()
    }
    #expect(try openFiles() == before)
  }

  /// Of this test's machine; other suites open others at the same time.
  private func openFiles() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
        .hasPrefix(machine.folder.path) ?? false
    }
  }

  @Test func worksOnThisMachine() throws {
    let watch = try MemoryPressureWatch()
    watch.stop()
    #expect(watch.next() == nil)
    FreeMemory.returnToSystem()
  }
}
