import Foundation

/// What running a program once cost.
struct ProgramCost {
  /// Processor time of user and kernel.
  let microseconds: Double
  /// The most memory that it had at one time.
  let peakKilobytes: Int
}

/// Runs other programs and says what they cost.
enum Program {
  /// A program that is built together with `bench`.
  static func ours(_ name: String) throws -> String {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let path = folder.appending(path: name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchmarkFailure(description: "\(path) is not built; build the product bench")
    }
    return path
  }

  /// A program of the system.
  ///
  /// - Throws: `Unavailable`, which names the packages to install.
  static func installed(_ name: String, packages: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard
      let path = folders.map({ "\($0)/\(name)" })
        .first(where: FileManager.default.isExecutableFile(atPath:))
    else { throw Unavailable(description: "\(name) is missing; install \(packages)") }
    return path
  }

  /// Runs a program to its end, without its output.
  ///
  /// - Parameters:
  ///   - command: The program's path and its arguments.
  ///   - environment: `NAME=VALUE`, for this program alone.
  /// - Returns: What it cost.
  /// - Throws: `BenchmarkFailure` where its exit status is not 0.
  static func cost(of command: [String], environment: [String] = []) throws -> ProgramCost {
    let line = try output(of: [try ours("process-cost")] + environment + command)
    let words = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard words.count == 3 else {
      throw BenchmarkFailure(description: "process-cost says \(line)")
    }
    guard words[2] == 0 else {
      throw BenchmarkFailure(
        description: "\(command.joined(separator: " ")) ended with status \(words[2])")
    }
    return ProgramCost(microseconds: Double(words[0]), peakKilobytes: words[1])
  }

  /// Runs a program to its end; what it prints is printed.
  ///
  /// - Parameter command: The program's path and its arguments.
  /// - Returns: Its exit status; 1 where a signal has ended it.
  /// - Throws: What starting it threw.
  static func status(of command: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 1
  }

  /// Runs a program to its end and returns what it printed.
  static func output(of command: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure(
        description: "\(command[0]) ended with status \(process.terminationStatus)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
