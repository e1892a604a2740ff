/// What `memory.events` of a control group counts.
struct MemoryEvents: Hashable, Sendable {
  /// Allocations above `memory.high`, which were slowed down.
  var high = 0
  /// Allocations that met `memory.max`.
  var max = 0
  /// Allocations that found no memory, and processes that were ended for it.
  var outOfMemory = 0

  /// Nil where there is no such file.
  init?(at path: String) {
    guard let text = FileTree.text(at: path) else { return nil }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let count = Int(parts[1]) else { continue }
      switch parts[0] {
      case "high": high = count
      case "max": max = count
      case "oom", "oom_kill": outOfMemory &+= count
      default: break
      }
    }
  }

  /// What has happened since; nil for nothing.
  func level(since earlier: MemoryEvents) -> PressureLevel? {
    if outOfMemory > earlier.outOfMemory { return .giveBack }
    if max > earlier.max { return .flush }
    return high > earlier.high ? .trim : nil
  }
}
