import Foundation
import TestSupport

/// What other programs say of a movie.
enum MoviePrograms {
  static let hasFFmpeg = ["/usr/bin/ffprobe", "/usr/bin/ffmpeg"].allSatisfy(
    FileManager.default.isExecutableFile)
  static let hasMediaInfo = FileManager.default.isExecutableFile(atPath: "/usr/bin/mediainfo")

  /// One frame as ffprobe reads it.
  struct Packet: Hashable {
    var time: Double
    var isKey: Bool
    var size: Int
  }

  /// Runs a program; its errors come with its output.
  static func run(_ words: [String]) throws -> Worker.Result {
    try Worker.wait(
      for: Worker.start(["/bin/sh", "-c", "exec \"$@\" 2>&1 </dev/null", "sh"] + words))
  }

  /// One value of the video stream or, where `section` says so, of the file.
  static func value(
    _ key: String, of url: URL, section: String = "stream"
  ) throws -> String {
    let selection = section == "stream" ? ["-select_streams", "v:0"] : []
    return try run(
      ["/usr/bin/ffprobe", "-v", "error"] + selection + [
        "-show_entries", "\(section)=\(key)", "-of", "default=nw=1:nk=1", url.path,
      ]
    ).text
  }

  /// Values of the video stream, and the file's duration.
  static func values(_ keys: [String], of url: URL) throws -> [String: String] {
    let text = try run([
      "/usr/bin/ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
      "stream=\((keys + ["index"]).joined(separator: ",")):format=duration", "-of", "default=nw=1",
      url.path,
    ]).text
    return text.split(separator: "\n").reduce(into: [:]) { values, line in
      let words = line.split(separator: "=", maxSplits: 1).map(String.init)
      if words.count == 2 { values[words[0]] = words[1] }
    }
  }

  /// All packets with bytes; AVI's empty chunks are none.
  static func packets(of url: URL) throws -> [Packet] {
    let text = try run([
      "/usr/bin/ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
      "packet=pts_time,dts_time,flags,size", "-of", "csv=p=0", url.path,
    ]).text
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard words.count >= 4, let size = Int(words[2]), size > 0 else { return nil }
      return Packet(
        time: Double(words[0]) ?? Double(words[1]) ?? .nan, isKey: words[3].contains("K"),
        size: size)
    }
  }

  /// What decoding each frame complains of; empty for a movie without a fault.
  static func faults(of url: URL) throws -> String {
    let result = try run([
      "/usr/bin/ffmpeg", "-v", "error", "-xerror", "-i", url.path, "-f", "null", "-",
    ])
    return result.status == 0 ? result.text : "status \(result.status): \(result.text)"
  }

  static func mediaInfo(_ parameter: String, of url: URL) throws -> String {
    try run(["/usr/bin/mediainfo", "--Inform=\(parameter)", url.path]).text
  }
}
