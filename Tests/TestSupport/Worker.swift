package import Foundation
import Synchronization

/// Programs that are built beside the tests, and are run as processes of their own.
package enum Worker {
  /// Where a program of the package is, as the tests see it.
  package static func path(of program: String) -> String {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: program).path
  }

  /// What a run has printed, and its exit status.
  package struct Result: Hashable, Sendable {
    package var text: String
    package var status: Int32

    package init(text: String, status: Int32) { (self.text, self.status) = (text, status) }
  }

  /// Runs commands of a shell that may mount file systems which nobody else sees.
  package static func runMounting(_ script: String) throws -> Result {
    try wait(for: start(["/usr/bin/unshare", "-rm", "/bin/sh", "-ec", script]))
  }

  /// Whether this user may do that here.
  package static let canMount =
    (try? runMounting("mount -t tmpfs tmpfs /tmp").status) == 0

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: Its path and its arguments.
  ///   - seconds: After this time it is killed, with all that it has started.
  /// - Returns: The process.
  /// - Throws: Where it cannot be started.
  package static func start(
    _ words: [String], within seconds: Double = 120
  ) throws -> RunningWorker {
    let worker = RunningWorker(words)
    try worker.process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak worker] in
      worker?.giveUp()
    }
    return worker
  }

  /// - Throws: ``OverdueWorker`` where it had to be killed.
  package static func wait(for worker: RunningWorker) throws -> Result {
    let bytes = try worker.output.fileHandleForReading.readToEnd() ?? Data()
    worker.process.waitUntilExit()
    guard !worker.isOverdue.load(ordering: .acquiring) else {
      throw OverdueWorker(words: worker.words)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return Result(
      text: text.trimmingCharacters(in: .whitespacesAndNewlines),
      status: worker.process.terminationStatus)
  }

  /// What the program itself does: its work, with its arguments; an error is printed.
  package static func main(_ work: ([String]) throws -> Void) {
    do {
      guard CommandLine.arguments.count > 2 else { exit(64) }
      try work(CommandLine.arguments)
    } catch {
      print("\(error)")
      exit(2)
    }
  }
}

/// A process that somebody has started, and may kill.
package final class RunningWorker: Sendable {
  package let process = Process()
  package let output = Pipe()
  fileprivate let words: [String]
  fileprivate let isOverdue = Atomic(false)

  fileprivate init(_ words: [String]) {
    self.words = words
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardOutput = output
  }

  fileprivate func giveUp() {
    guard process.isRunning else { return }
    isOverdue.store(true, ordering: .releasing)
    // It leads a group of its own: whoever else holds its output goes with it.
    kill(-process.processIdentifier, SIGKILL)
    kill(process.processIdentifier, SIGKILL)
  }
}

/// A worker did not end in time.
package struct OverdueWorker: Error, CustomStringConvertible {
  let words: [String]

  package var description: String {
    "\(words.joined(separator: " ")) did not end in time and was killed"
  }
}
