/// What proc_meminfo(5) says of the machine's memory.
package struct MemoryInformation: Hashable, Sendable {
  /// All of it, in bytes.
  package let total: Int
  /// What can be had without swapping, in bytes; nil on kernels before 3.14.
  package let available: Int?

  /// Nil where it cannot be read.
  package init?(roots: DeviceRoots = DeviceRoots()) {
    guard let text = FileTree.text(at: "\(roots.proc)/meminfo") else { return nil }
    var fields: [Substring: Int] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split { $0 == ":" || $0 == " " }
      // `kB` are kibibytes there.
      guard parts.count >= 2, let number = Int(parts[1]), number <= Int.max >> 10 else { continue }
      fields[parts[0]] = number << 10
    }
    guard let total = fields["MemTotal"], total > 0 else { return nil }
    self.total = total
    available = fields["MemAvailable"]
  }
}
