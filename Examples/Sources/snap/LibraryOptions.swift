import ExampleSupport
import Foundation

/// What `snap library` is asked for.
struct LibraryOptions {
  static let valued: Set<String> = ["--folder", "--album", "--count", "--size", "-o"]

  /// The library's folders; empty for the user's own.
  let folders: [URL]
  let album: String?
  let count: Int
  /// The longer side of thumbnails, in pixels.
  let size: Int
  /// Where thumbnails go; nil where they are not asked for.
  let output: URL?

  init(_ options: Options) throws {
    try options.requireOperands(1)
    let isList = options.operands[0] == "list"
    guard isList || options.operands[0] == "thumbs" else {
      throw Failure(
        .usage, "There is no command library \(options.operands[0]), only list and thumbs.")
    }
    folders = options.texts("--folder").map { URL(filePath: $0, directoryHint: .isDirectory) }
    album = options.text("--album")
    count =
      try options.value("--count", expected: "a number from 1") {
        Int($0).flatMap { $0 >= 1 ? $0 : nil }
      } ?? .max
    size =
      try options.value("--size", expected: "pixels, from 1 to 8192") {
        Int($0).flatMap { (1...8192).contains($0) ? $0 : nil }
      } ?? 320
    output = options.text("-o").map { URL(filePath: $0, directoryHint: .isDirectory) }
    if isList, options.has("-o") || options.has("--size") {
      throw Failure(.usage, "-o and --size are for thumbnails: say snap library thumbs.")
    }
    if !isList, output == nil {
      throw Failure(.usage, "Name a folder for the thumbnails with -o.")
    }
  }
}
