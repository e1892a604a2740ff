import Foundation

/// A folder that goes with its last user.
final class ScratchFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "imaging-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func file(_ name: String, _ data: Data) throws -> String {
    try data.write(to: url.appending(path: name))
    return path(name)
  }
}
