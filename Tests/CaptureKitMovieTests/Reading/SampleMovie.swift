import Foundation
import Imaging
import TestSupport

/// Movies whose frames tell which they are, made by the program `ffmpeg`.
///
/// Of frame `n` the left half has the luma ``luma(of:)``; the upper right quarter is bright and the
/// lower right one dark, so that turns show.
struct SampleMovie {
  static let width = 64
  static let height = 48
  static let bright: UInt8 = 230
  static let dark: UInt8 = 20

  let folder: TemporaryFolder
  let url: URL

  /// The left half's luma of a frame.
  static func luma(of frame: Int) -> Int { 40 + frame * 3 % 150 }

  /// Where `ffmpeg` is; nil where it is not installed.
  static let program: String? = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  static var canBeMade: Bool { program != nil }

  /// Encodes frames.
  ///
  /// - Parameters:
  ///   - name: The file's, whose end chooses the container.
  ///   - frames: How many.
  ///   - options: Of `ffmpeg`, for the movie.
  /// - Throws: Where `ffmpeg` fails.
  init(_ name: String, frames: Int = 50, _ options: String) throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: name)
    let raw = folder.path("frames.yuv")
    try Data((0..<frames).flatMap(Self.frame)).write(to: URL(filePath: raw))
    // JPEG's range is full: the samples are to stay as they are.
    let samples = options.contains("mjpeg") ? "yuvj420p" : "yuv420p"
    try Self.run(
      ["-f", "rawvideo", "-pix_fmt", samples, "-s", "\(Self.width)x\(Self.height)", "-r", "25"]
        + ["-i", raw] + options.split(separator: " ").map(String.init) + [url.path])
    folder.remove("frames.yuv")
  }

  /// Makes a movie of anything.
  init(_ name: String, arguments: String) throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: name)
    try Self.run(arguments.split(separator: " ").map(String.init) + [url.path])
  }

  var data: Data { get throws { try Data(contentsOf: url) } }

  /// The same file with other bytes, under another name in the same folder.
  func changed(_ name: String = "changed", _ change: (inout Data) -> Void) throws -> URL {
    var data = try data
    change(&data)
    let url = folder.url.appending(path: name)
    try data.write(to: url)
    return url
  }

  private static func frame(_ number: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<height {
      let right = y < height / 2 ? bright : dark
      bytes += [UInt8](repeating: UInt8(luma(of: number)), count: width / 2)
      bytes += [UInt8](repeating: right, count: width / 2)
    }
    return bytes + [UInt8](repeating: 128, count: width * height / 2)
  }

  @discardableResult
  static func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: program ?? "/usr/bin/ffmpeg")
    process.arguments = ["-hide_banner", "-nostdin", "-v", "error", "-y"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
    return data
  }

  struct Failure: Error { let arguments: [String] }

  /// A frame as `ffmpeg` decodes it, in BGRA, turned as it is to be shown.
  func decoded(frame: Int) throws -> Data {
    try Self.run(
      ["-i", url.path, "-vf", "select=eq(n\\,\(frame))", "-frames:v", "1"]
        + ["-sws_flags", "accurate_rnd+full_chroma_int+full_chroma_inp"]
        + ["-pix_fmt", "bgra", "-f", "rawvideo", "-"])
  }
}

extension PixelBuffer {
  /// The luma of a place, 0 to 1 from the left and the top; any range.
  func luma(_ x: Double, _ y: Double) -> Int {
    let column = Int(Double(width) * x)
    let row = Int(Double(height) * y)
    let bytesPerRow = layout.planes[0].bytesPerRow
    return bytes(ofPlane: 0).withUnsafeBytes { bytes in
      switch format {
      case .yuyv: Int(bytes[row * bytesPerRow + 2 * column])
      case .uyvy: Int(bytes[row * bytesPerRow + 2 * column + 1])
      case .rgb24, .bgr24: Int(bytes[row * bytesPerRow + 3 * column + 1])
      // Made of grey with limited range.
      case .bgra: 16 + Int(bytes[row * bytesPerRow + 4 * column + 1]) * 219 / 255
      default: Int(bytes[row * bytesPerRow + column])
      }
    }
  }

  /// Blue, green and red of a place.
  func color(_ x: Double, _ y: Double) throws -> [Int] {
    let pixels = try converted(to: .bgra)
    let start =
      Int(Double(height) * y) * pixels.layout.planes[0].bytesPerRow + Int(Double(width) * x) * 4
    return pixels.bytes(ofPlane: 0).withUnsafeBytes { bytes in
      (0..<3).map { Int(bytes[start + $0]) }
    }
  }
}
