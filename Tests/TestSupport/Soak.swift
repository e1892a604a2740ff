import Foundation

/// A run over very many frames, of which nothing may stay behind.
package struct Soak: Sendable {
  /// How many frames `Scripts/soak` asks for; nil where nobody does.
  package static let frameCount: Int? = ProcessInfo.processInfo.environment["CAPTURE_SOAK"]
    .flatMap { Int($0) }

  /// What the process had when everything that is made once was there.
  private let before: (allocated: Int, resident: Int, descriptors: Int)

  /// Begins to count; call it some thousand frames after the start.
  package init() { before = Self.now }

  private static var now: (allocated: Int, resident: Int, descriptors: Int) {
    (ProcessMemory.allocated, ProcessMemory.resident, ProcessMemory.descriptorCount)
  }

  /// What has come and not gone since.
  package var growth: (allocated: Int, resident: Int, descriptors: Int) {
    let now = Self.now
    return (
      now.allocated - before.allocated, now.resident - before.resident,
      now.descriptors - before.descriptors
    )
  }

  /// What has grown by more than chance explains; empty where nothing has.
  package func leaks(after what: String) -> [String] {
    let growth = growth
    print(
      "\(what): \(growth.allocated) bytes allocated, \(growth.resident) resident, "
        + "\(growth.descriptors) descriptors more")
    return [
      growth.allocated > 256 << 10 ? "allocated memory grew by \(growth.allocated) bytes" : nil,
      growth.resident > 4 << 20 ? "resident memory grew by \(growth.resident) bytes" : nil,
      growth.descriptors != 0 ? "\(growth.descriptors) descriptors more" : nil,
    ].compactMap(\.self)
  }
}
