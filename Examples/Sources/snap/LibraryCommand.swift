import CaptureKitLibrary
import ExampleSupport
import Foundation
import Imaging

/// `snap library`: lists pictures and movies, and writes thumbnails of them.
enum LibraryCommand {
  static let help = """
    Usage: snap library list [OPTION]…
           snap library thumbs -o FOLDER [OPTION]…

    Lists pictures and movies, the newest first: date, kind, pixels, bytes and path, with tabs between
    them. A date that is the file's own has a ~; - stands for pixels that the file's beginning does
    not say, and for those of movies. Or writes a small picture of each.

      --folder FOLDER      a library's folder instead of the user's own; may be given several times
      --album NAME         an album's title, or its folder
      --count NUMBER       not more than so many
      --size PIXELS        the longer side of thumbnails; without it 320
      -o FOLDER            where thumbnails go, named as what they show: party.mkv.jpg; it is made
                           where it is missing, and thumbnails of the same names are replaced
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(arguments, flags: [], valued: LibraryOptions.valued)
    if options.wantsHelp { return print(help) }
    let wish = try LibraryOptions(options)
    do {
      let library =
        wish.folders.isEmpty ? try PhotoLibrary() : try PhotoLibrary(folders: wish.folders)
      try await library.settled()
      let album = try await album(wish.album, of: library)
      if let output = wish.output {
        try await writeThumbnails(of: library, album, to: output, wish)
      } else {
        try await visit(library, album, wish.count) { try printLine(line(of: $0)) }
      }
    } catch let error as LibraryError {
      throw Failure(error)
    }
  }

  /// Goes through the library, the newest first, a page at a time.
  private static func visit(
    _ library: PhotoLibrary, _ album: PhotoLibrary.Album?, _ count: Int,
    _ body: (PhotoLibrary.Asset) async throws -> Void
  ) async throws {
    var number = 0
    while number < count {
      let range = number..<min(number + 500, count)
      let assets = try await library.assets(in: album, range: range)
      for asset in assets { try await body(asset) }
      if assets.count < range.count { return }
      number = range.upperBound
    }
  }

  private static func album(
    _ name: String?, of library: PhotoLibrary
  ) async throws -> PhotoLibrary.Album? {
    guard let name else { return nil }
    let albums = try await library.albums()
    let path = URL(filePath: name, directoryHint: .isDirectory).standardizedFileURL.path
    let found =
      albums.first { $0.title == name } ?? albums.first { $0.url.standardizedFileURL.path == path }
    guard let found else {
      let titles = albums.prefix(20).map(\.title).joined(separator: ", ")
      throw Failure(
        .unavailable,
        "There is no album \(name)" + (titles.isEmpty ? "" : ", but there are \(titles)"))
    }
    return found
  }

  private static func line(of asset: PhotoLibrary.Asset) -> String {
    let date = asset.captureDate.formatted(Date.ISO8601FormatStyle(timeZone: .current))
    let kind = asset.mediaType == .movie ? "movie" : "image"
    let size = asset.pixelSize.map(text) ?? "-"
    return [
      (asset.isDateFromFile ? "~" : "") + date, kind, size, "\(asset.byteCount)", asset.url.path,
    ].joined(separator: "\t")
  }

  private static func text(_ size: PixelSize) -> String { "\(size.width)x\(size.height)" }
}

// MARK: - Thumbnails

extension LibraryCommand {
  private static func writeThumbnails(
    of library: PhotoLibrary, _ album: PhotoLibrary.Album?, to folder: URL, _ wish: LibraryOptions
  ) async throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .cannotCreate, "\(folder.path) cannot be made: \(error.localizedDescription)")
    }
    var taken: Set<String> = []
    var failure: LibraryError?
    try await visit(library, album, wish.count) { asset in
      do {
        let small = try await library.thumbnail(of: asset, maxPixelSize: wish.size)
        let url = place(of: asset, in: folder, &taken)
        try write(small, to: url)
        try printLine("\(url.relativePath): \(text(small.size)), of \(asset.url.path)")
      } catch let error as LibraryError {
        // One that is damaged keeps nobody from the others.
        say("snap: \(Failure(error).sentence)")
        failure = failure ?? error
      }
    }
    if let failure { throw Failure(Failure(failure).status, "Not all thumbnails could be made.") }
  }

  /// A name that none before it has: files of several folders may have the same.
  private static func place(
    of asset: PhotoLibrary.Asset, in folder: URL, _ taken: inout Set<String>
  ) -> URL {
    let name = asset.url.lastPathComponent
    var candidate = "\(name).jpg"
    var number = 1
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)-\(number).jpg"
    }
    return folder.appending(path: candidate, directoryHint: .notDirectory)
  }

  private static func write(_ image: Image, to url: URL) throws {
    guard let data = image.jpegData(compressionQuality: 0.9) else {
      throw Failure(.inputOutput, "\(url.path) cannot be encoded.")
    }
    do {
      try data.write(to: url, options: .atomic)
    } catch {
      throw Failure(.cannotCreate, "\(url.path) cannot be written: \(error.localizedDescription)")
    }
  }
}
