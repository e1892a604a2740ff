import Foundation
import Imaging

/// Makes a thumbnail of a file and prints by how many kB the process's private memory has grown.
@main
enum ThumbnailMemory {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else { exit(64) }
    let url = URL(filePath: CommandLine.arguments[1])
    // Reading takes memory too, the first time.
    _ = try privateKilobytes()
    let before = try privateKilobytes()
    let image = try Image.thumbnail(contentsOf: url, maxPixelSize: 320)
    let after = try privateKilobytes()
    guard image.pixelWidth == 320 else { exit(70) }
    print(after - before)
  }

  /// Pages that are this process's alone, in memory or swapped out.
  private static func privateKilobytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
    return text.split(separator: "\n").reduce(0) { sum, line in
      let isPrivate = line.hasPrefix("Private_Dirty:") || line.hasPrefix("Swap:")
      let words = line.split(separator: " ")
      return sum + (isPrivate && words.count > 1 ? Int(words[1]) ?? 0 : 0)
    }
  }
}
