import Foundation
import TestSupport

/// The program `item-store-worker`, which is built beside the tests.
enum Worker {
  static var path: String {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "item-store-worker").path
  }

  /// What a run has printed, and its exit status.
  struct Result: Hashable {
    var text: String
    var status: Int32
  }

  /// Runs commands of a shell that may mount file systems which nobody else sees.
  static func runMounting(_ script: String) throws -> Result {
    try wait(for: start(["/usr/bin/unshare", "-rm", "/bin/sh", "-ec", script]))
  }

  /// Whether this user may do that here.
  static let canMount =
    (try? runMounting("mount -t tmpfs tmpfs /tmp").status) == 0

  static func start(_ words: [String]) throws -> (process: Process, output: Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardOutput = output
    try process.run()
    return (process, output)
  }

  static func wait(for worker: (process: Process, output: Pipe)) throws -> Result {
    let bytes = try worker.output.fileHandleForReading.readToEnd() ?? Data()
    worker.process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self)
    return Result(
      text: text.trimmingCharacters(in: .whitespacesAndNewlines),
      status: worker.process.terminationStatus)
  }
}
