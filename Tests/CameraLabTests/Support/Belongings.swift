import Foundation

/// What this process has from the kernel, and the library's threads.
struct Belongings: Equatable {
  var descriptors: Int
  var cameras: Int
  var mappings: Int
  /// By name, as often as there are threads of that name.
  var threads: [String]

  static func now() throws -> Belongings {
    let files = FileManager.default
    let descriptors = try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let threads = try files.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
    return Belongings(
      descriptors: descriptors.count,
      cameras: descriptors.filter { $0.hasPrefix("/dev/video") }.count,
      mappings: maps.components(separatedBy: "/dev/video").count - 1,
      threads: threads.filter { $0.hasPrefix("camera") }.map { String($0.dropLast()) }.sorted())
  }

  /// What the process has once threads of earlier tests, which end a moment later, are gone.
  static func atRest() async throws -> Belongings {
    // What Swift itself needs to wait, and makes at the first wait, is not to be counted as left
    // over.
    try await Task.sleep(for: .milliseconds(1))
    try await until("no camera has a thread") { try now().threads.isEmpty }
    return try now()
  }

  /// Waits until the process has no more than before: what has ended is gone a moment later.
  static func areNoMore(than before: Belongings) async throws {
    try await until("the process has no more than \(before)") { try now().isNoMore(than: before) }
  }

  /// Whether nothing was left over, many times, since others were looked at: Dispatch makes a
  /// descriptor or two of its own when it first needs them.
  func isNoMore(than before: Belongings) -> Bool {
    descriptors <= before.descriptors + 2 && cameras == before.cameras
      && mappings == before.mappings && threads == before.threads
  }
}
