import LinuxSystem
import TestSupport
import Testing

/// What the kernel says of memory, in files of the test's own.
struct FakeMemory {
  let folder: TemporaryFolder
  var roots: DeviceRoots { DeviceRoots(proc: folder.path + "/proc", root: folder.path) }

  init() throws {
    folder = try TemporaryFolder()
    folder.file("proc/meminfo", "MemTotal:       1000000 kB\nMemAvailable:    500000 kB\n")
    folder.file(
      "proc/self/mountinfo",
      """
      22 1 8:1 / / rw,relatime - ext4 /dev/vda1 rw
      30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup rw,nsdelegate

      """)
  }

  func groups(_ lines: String...) {
    folder.file("proc/self/cgroup", lines.joined(separator: "\n") + "\n")
  }

  func limit(_ text: String, at name: String) { folder.file("sys/fs/cgroup/\(name)", text + "\n") }

  var byteCount: Int? { UsableMemory(roots: roots).byteCount }
}

@Suite(.timeLimit(.minutes(1)))
struct UsableMemoryTests {
  private let machine: FakeMemory

  init() throws { machine = try FakeMemory() }

  @Test func isTheMachinesWhereNothingLimitsIt() {
    #expect(machine.byteCount == 1_024_000_000)
    machine.groups("0::/app")
    machine.limit("max", at: "app/memory.max")
    #expect(machine.byteCount == 1_024_000_000)
  }

  @Test(arguments: ["memory.max", "memory.high"])
  func isTheGroupsLimit(name: String) {
    machine.groups("0::/user.slice/app")
    machine.limit("max", at: "user.slice/app/memory.max")
    machine.limit("134217728", at: "user.slice/app/\(name)")
    #expect(machine.byteCount == 134_217_728)
  }

  @Test func isTheLeastLimitOfAllGroupsAround() {
    machine.groups("0::/user.slice/session/app")
    machine.limit("300000000", at: "user.slice/session/app/memory.max")
    machine.limit("200000000", at: "user.slice/session/memory.high")
    machine.limit("400000000", at: "user.slice/memory.max")
    #expect(machine.byteCount == 200_000_000)
    machine.limit("100000000", at: "memory.max")
    #expect(machine.byteCount == 100_000_000)
  }

  @Test func isTheMachinesWhereTheLimitIsLarger() {
    machine.groups("0::/app")
    machine.limit("9000000000", at: "app/memory.max")
    #expect(machine.byteCount == 1_024_000_000)
  }

  @Test func readsVersionOneBesideVersionTwo() {
    machine.folder.file(
      "proc/self/mountinfo",
      """
      31 22 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
      32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
      33 22 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
      """)
    machine.groups("8:cpu:/", "4:memory:/box/inner", "0::/")
    machine.limit("9223372036854771712", at: "memory/box/inner/memory.limit_in_bytes")
    #expect(machine.byteCount == 1_024_000_000)
    machine.limit("67108864", at: "memory/box/memory.limit_in_bytes")
    #expect(machine.byteCount == 67_108_864)
  }

  @Test func findsTheGroupsOfAContainerThatSeesItsOwnOnly() {
    machine.folder.file(
      "proc/self/mountinfo",
      "32 22 0:28 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n")
    machine.groups("4:memory:/docker/1f")
    machine.limit("67108864", at: "memory/memory.limit_in_bytes")
    #expect(machine.byteCount == 67_108_864)
    // As where the container has no namespace of its own and another group's path is shown.
    machine.groups("4:memory:/../../other")
    #expect(machine.byteCount == 67_108_864)
    machine.groups("4:memory:/docker/1f2")
    #expect(machine.byteCount == 67_108_864)
  }

  @Test func readsALongListOfMounts() {
    let mount = "22 1 8:1 / /mnt/with/a/name rw,relatime - ext4 /dev/vda1 rw\n"
    machine.folder.file(
      "proc/self/mountinfo",
      String(repeating: mount, count: 500)
        + "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n")
    machine.groups("0::/app")
    machine.limit("67108864", at: "app/memory.max")
    #expect(machine.byteCount == 67_108_864)
  }

  @Test func takesNonsenseForNoLimit() {
    machine.groups("nonsense", "0::/app", "1:")
    machine.limit("lots", at: "app/memory.max")
    #expect(machine.byteCount == 1_024_000_000)
    machine.folder.file("proc/self/mountinfo", "30 22\n\n30 22 0:26 / /sys/fs/cgroup rw -\n")
    #expect(machine.byteCount == 1_024_000_000)
    machine.folder.file("proc/meminfo", "MemTotal: many kB\n")
    #expect(machine.byteCount == nil)
  }

  @Test func knowsThisMachines() throws {
    let byteCount = try #require(UsableMemory().byteCount)
    #expect(byteCount > 1 << 20)
    #expect(byteCount <= (try #require(MemoryInformation()).total))
  }
}
