import Foundation

/// Other people's programs, which pictures are made with and compared to;
/// `Scripts/install-packages test` installs them.
enum Programs {
  static let exiftool = find("exiftool")
  static let convert = find("convert")

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private static func find(_ name: String) -> URL? {
    let program = URL(filePath: "/usr/bin/" + name)
    return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
  }

  /// What a program writes; throws where it fails.
  static func run(_ program: URL?, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = try require(program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "failed: \(arguments.joined(separator: " "))")
    }
    return data
  }

  /// A new folder for the time of one test.
  static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try ScratchFolder()
    return try body(folder.url)
  }

  /// Runs a shell script in a folder; the first command that fails ends it, and fails.
  @discardableResult
  static func run(_ script: String, in folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", script]
    process.currentDirectoryURL = folder
    // A program of the same name elsewhere may be something else.
    process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    let log = folder.appending(path: "log")
    try Data().write(to: log)
    let output = try FileHandle(forWritingTo: log)
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "\(script): \(text); Scripts/install-packages test installs what is needed")
    }
    return text
  }
}
