import CaptureKitMovie
import Foundation
import Imaging
import LinuxSystem

/// What is asked of movies; the one place that opens them.
enum MovieLook {
  /// When a movie was taken, as its container says; nil where it does not, and where the file
  /// cannot be opened.
  static func captureDate(of path: RawPath) -> Date? {
    try? with(path) { url throws(MovieError) in try MovieReader.creationDate(ofMovieAt: url) }
  }

  /// A picture that stands for a movie, upright.
  static func poster(of path: RawPath, maxPixelSize: Int) throws(LibraryError) -> Image {
    try with(path) { url throws(MovieError) in
      try MovieReader(contentsOf: url).posterImage(maxPixelSize: maxPixelSize)
    }
  }

  /// Calls with an address that Foundation can open.
  private static func with<Value>(
    _ path: RawPath, _ body: (URL) throws(MovieError) -> Value
  ) throws(LibraryError) -> Value {
    if path.string != nil { return try naming(path, path.url, body) }
    let file = try PictureReading.open(path)
    return try withExtendedLifetime(file) { file throws(LibraryError) in
      let url = URL(filePath: file.pathWhileOpen, directoryHint: .notDirectory)
      return try naming(path, url, body)
    }
  }

  /// Calls, and names the file where that fails.
  private static func naming<Value>(
    _ path: RawPath, _ url: URL, _ body: (URL) throws(MovieError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(MovieError) {
      return try body(url)
    } catch {
      let code: LibraryError.Code =
        switch error.code {
        case .notPermitted: .notPermitted
        case .tooLarge: .tooLarge
        case .cannotRead: error.errno == ENOENT ? .noAsset : .cannotRead
        default: .unsupportedPicture
        }
      let text = error.description
      let sentence = text.contains(path.shown) ? text : "\(path.shown): \(text)"
      throw LibraryError(code, sentence, errno: error.errno)
    }
  }
}
