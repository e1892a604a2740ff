import Foundation
import TestSupport
import Testing

/// The store of pictures in a control group that is too small for all of them, on a real kernel.
@Suite(.inLab(.single), .timeLimit(.minutes(3)))
struct MemoryPressureLabTests {
  /// It may keep all pictures in memory, 400 MB of them, and the group has 128.
  @Test func picturesLeaveMemoryBeforeTheProcessIsKilled() throws {
    let script = """
      cd /sys/fs/cgroup
      [ -e cgroup.procs ] || mount -t cgroup2 none .
      cd /sys/fs/cgroup
      echo +memory >cgroup.subtree_control
      mkdir -p small
      echo 128M >small/memory.max
      echo $$ >small/cgroup.procs
      exec \(Worker.path(of: "image-store-worker")) swell /run/pictures 400
      """
    let worker = try Worker.start(["/bin/sh", "-ec", script])
    let result = try Worker.wait(for: worker)

    #expect(worker.process.terminationReason == .exit && result.status == 0)
    let evictions = try #require(result.text.firstMatch(of: /evictions:(\d+)/)).1
    #expect(try #require(Int(evictions)) > 200)
    let events = try String(contentsOfFile: "/sys/fs/cgroup/small/memory.events", encoding: .utf8)
    #expect(events.contains("oom_kill 0\n"))
  }
}
