import CaptureKitLinux
import CaptureKitMovie
import ExampleSupport
import Foundation

/// What `snap movie` is asked for.
struct MovieOptions {
  static let flags = CameraWish.flags.union(["--quiet"])
  static let valued = CameraWish.valued.union(FormatWish.valued).union([
    "-o", "--duration", "--max-size", "--preroll", "--codec", "--quality",
  ])

  /// The file; nil for one that is named after the time.
  let path: String?
  /// In seconds.
  let duration: Double?
  /// In bytes.
  let byteCount: Int64?
  /// In seconds.
  let preRoll: Double?
  let settings: MovieSettings
  let format: FormatWish
  let isQuiet: Bool

  private static let codecs: [String: VideoCodecType] = [
    "jpeg": .jpeg, "mjpeg": .jpeg, "h264": .h264,
  ]

  init(_ options: Options) throws {
    path = try options.value("-o", expected: "a file that ends in .mkv, .mp4, .mov or .avi") {
      MovieContainer(pathExtension: ($0 as NSString).pathExtension) == nil ? nil : $0
    }
    duration = try options.value("--duration", expected: "seconds, more than 0") {
      Double($0).flatMap { $0 > 0 && $0 <= 1e8 ? $0 : nil }
    }
    byteCount = try options.value("--max-size", expected: "megabytes, more than 0") {
      Double($0).flatMap { $0 > 0 && $0 <= 1e9 ? Int64($0 * 1e6) : nil }
    }
    preRoll = try options.value("--preroll", expected: "seconds, more than 0, at most 600") {
      Double($0).flatMap { $0 > 0 && $0 <= 600 ? $0 : nil }
    }
    let codec = try options.value("--codec", expected: "jpeg or h264") {
      Self.codecs[$0.lowercased()]
    }
    let quality = try options.value("--quality", expected: "a number from 0 to 1") {
      Double($0).flatMap { (0...1).contains($0) ? $0 : nil }
    }
    settings =
      quality.map { MovieSettings(codec: codec, quality: $0) } ?? MovieSettings(codec: codec)
    format = try FormatWish(options)
    isQuiet = options.has("--quiet")
  }

  /// Where the movie goes: the file that is named, else new ones in the working directory, of which
  /// the first that is free is taken.
  var urls: [URL] {
    if let path { return [URL(filePath: path)] }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    let name = "snap-\(formatter.string(from: Date()))"
    return [URL(filePath: "\(name).mkv")] + (2...100).map { URL(filePath: "\(name)-\($0).mkv") }
  }
}
