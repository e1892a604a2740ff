import Foundation

@testable import Imaging

/// Other people's programs, which pictures are made with and compared to; `Scripts/install-packages test`
/// installs them.
enum Programs {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A new folder for the time of one test.
  static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "imaging-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
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

// MARK: - Portable pixmaps

extension PixelBuffer {
  /// The colours as a PPM file (P6).
  func ppm() -> Data {
    var file = Data("P6 \(width) \(height) 255\n".utf8)
    withUnsafePlanes { planes in
      for y in 0..<height {
        let row = y * layout.planes[0].bytesPerRow
        for x in 0..<width {
          let place = row + 4 * x
          file.append(contentsOf: [planes[0][place + 2], planes[0][place + 1], planes[0][place]])
        }
      }
    }
    return file
  }

  /// Reads a binary PPM or PGM file of 8 bits as programs of libjpeg write it.
  init(ppm file: Data) throws {
    let bytes = Array(file)
    var fields: [String] = []
    var offset = 0
    while fields.count < 4, offset < bytes.count {
      let end = try require(bytes[offset...].firstIndex { $0 == 0x20 || $0 == 0x0A })
      fields.append(String(decoding: bytes[offset..<end], as: UTF8.self))
      offset = end + 1
    }
    let width = try require(Int(fields[1]))
    let height = try require(Int(fields[2]))
    let channels = fields[0] == "P6" ? 3 : 1
    guard bytes.count - offset == width * height * channels else { throw MissingValue() }
    var samples = [UInt8](repeating: 255, count: width * height * 4)
    for pixel in 0..<width * height {
      for channel in 0..<3 {
        samples[4 * pixel + 2 - channel] =
          bytes[offset + pixel * channels + min(channel, channels - 1)]
      }
    }
    self = try require(
      PixelLayout(format: .bgra32, width: width, height: height).flatMap {
        PixelBuffer(layout: $0, bytes: samples)
      })
  }

  /// The largest difference of a sample from another BGRA picture; 256 where the sizes differ.
  func largestDifference(from other: PixelBuffer) -> Int {
    guard width == other.width, height == other.height else { return 256 }
    return withUnsafePlanes { own in
      other.withUnsafePlanes { others in
        if own[0].elementsEqual(others[0]) { return 0 }
        return zip(own[0], others[0]).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      }
    }
  }
}
