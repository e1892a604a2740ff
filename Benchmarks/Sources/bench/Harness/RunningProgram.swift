import Foundation

/// A server that runs until this object goes.
final class RunningProgram {
  private let process = Process()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The program's path and its arguments.
  ///   - environment: `NAME=VALUE`, besides what this process has.
  /// - Throws: What starting it threw.
  init(_ command: [String], environment: [String] = []) throws {
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    var variables = ProcessInfo.processInfo.environment
    for pair in environment {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      variables[parts[0]] = parts[1]
    }
    process.environment = variables
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Its number.
  var identifier: Int32 { process.processIdentifier }
}
