import CMalloc
import Foundation
import Glibc

/// How much memory this process has.
package enum ProcessMemory {
  /// Bytes that malloc(3) has handed out and not got back, in all of its arenas.
  package static var allocated: Int {
    let info = mallinfo2()
    return Int(info.uordblks) + Int(info.hblkhd)
  }

  /// Bytes of the process that are in the machine's memory; 0 where the kernel does not say.
  package static var resident: Int {
    let statistics = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = statistics?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Open descriptors.
  package static var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
}
