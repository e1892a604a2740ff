import Foundation

/// Python's sqlite3: another program.
enum Python {
  struct Failure: Error { var text: String }

  /// Runs a script with `db`, a connection to the database, and prints what it prints.
  @discardableResult
  static func run(_ script: String, on url: URL) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\n\(script)\ndb.commit()\ndb.close()",
      url.path,
    ]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self)
    guard process.terminationStatus == 0 else { throw Failure(text: text) }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
