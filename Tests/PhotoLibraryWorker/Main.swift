import CaptureKitLibrary
import Foundation
import Imaging
import TestSupport

/// What the tests run as a process of its own, to kill it, to run several at once, or where it has
/// a disk of its own.
///
///     photo-library-worker add FOLDER CACHE N      adds N small pictures of one moment; says how
///                                                  many, or why one could not be added
///     photo-library-worker churn FOLDER CACHE      says “ready”, then adds until it is killed
///     photo-library-worker move FOLDER CACHE FILE  adds a movie; says its name, or why not
@main
enum Main {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print("\(error)")
      exit(2)
    }
  }

  private static func run(_ words: [String]) async throws {
    guard words.count > 2 else { exit(64) }
    let library = try PhotoLibrary(
      folders: [URL(filePath: words[1])], cacheDirectory: URL(filePath: words[2]))
    switch words[0] {
    case "add":
      for _ in 0..<(Int(words[3]) ?? 0) { try await library.add(picture()) }
      print("added")
    case "churn":
      FileHandle.standardOutput.write(Data("ready\n".utf8))
      while true { try await library.add(picture()) }
    case "move":
      print(try await library.add(movieAt: URL(filePath: words[3])).url.lastPathComponent)
    default: exit(64)
    }
  }

  /// All of the same moment: names differ by their numbers.
  private static func picture() throws -> Image {
    let layout = PixelLayout(format: .bgra, width: 64, height: 64)
    let bytes = (0..<64 * 64 * 4).map { _ in UInt8.random(in: 0...255) }
    guard let layout, let pixels = PixelBuffer(layout: layout, bytes: bytes) else { exit(70) }
    var metadata = ImageMetadata()
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_117_415)
    metadata.timeZoneOffset = 0
    return try Image(JPEGEncoder(quality: 1).encode(pixels, metadata: metadata))
  }
}
