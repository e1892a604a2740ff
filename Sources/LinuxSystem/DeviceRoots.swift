/// Where devices are looked for. Tests put a folder tree of their own in place of the machine's.
package struct DeviceRoots: Hashable, Sendable {
  /// Where the nodes are.
  package var dev: String
  /// Where the kernel describes its devices, see sysfs(5).
  package var sys: String
  /// Where the kernel describes its processes, see proc(5).
  package var proc: String
  /// Where daemons keep what holds until the next boot; udev's notes are there.
  package var run: String
  /// What comes before the names of the files that mark a container, and before mount points.
  package var root: String

  package init(
    dev: String = "/dev", sys: String = "/sys", proc: String = "/proc", run: String = "/run",
    root: String = ""
  ) {
    self.dev = dev
    self.sys = sys
    self.proc = proc
    self.run = run
    self.root = root
  }
}
