import Foundation

/// Other programs that make pictures and say what is in them.
enum Program {
  static let exiftool = find("exiftool")
  static let convert = find("convert")
  static let areThere = exiftool != nil && convert != nil

  private static func find(_ name: String) -> URL? {
    ["/usr/bin/", "/usr/local/bin/"].map { URL(filePath: $0 + name) }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
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
    guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
    return data
  }

  struct Failure: Error {
    var arguments: [String]
  }
}

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
