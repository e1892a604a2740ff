import Foundation
import Testing

/// The lab's side of a virtual USB camera: what it is told to do, and what it says it did.
struct LabCamera {
  let index: Int

  init(_ index: Int = 0) {
    self.index = index
  }

  /// The camera's diary: plug, start, stop, faults, commands.
  var log: String {
    (try? String(contentsOfFile: "/run/camera-lab/uvc\(index).log", encoding: .utf8)) ?? ""
  }

  /// Tells the camera something, and returns when it has done it.
  func tell(_ command: String) async throws {
    let done = occurrences(of: "command " + command)
    let pipe = try #require(FileHandle(forWritingAtPath: "/run/camera-lab/uvc\(index).ctl"))
    try pipe.write(contentsOf: Data((command + "\n").utf8))
    try pipe.close()
    try await until("the camera took “\(command)”") {
      occurrences(of: "command " + command) > done
    }
  }

  func occurrences(of text: String) -> Int { log.components(separatedBy: text).count - 1 }
}

/// Waits for something outside of this process that nobody announces.
func until(_ what: String, _ isSo: () throws -> Bool) async throws {
  let end = ContinuousClock.now + LabStudio.patience
  while try !isSo() {
    guard ContinuousClock.now < end else {
      Issue.record("waited in vain until \(what)")
      return
    }
    try await Task.sleep(for: .milliseconds(20))
  }
}
