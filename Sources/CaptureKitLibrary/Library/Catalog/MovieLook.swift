import CaptureKitMovie
import Foundation
import Imaging
import LinuxSystem

/// What is asked of movies; the one place that opens them.
enum MovieLook {
  /// When a movie was taken, as its container says; nil where it does not.
  static func captureDate(of path: RawPath) -> Date? { nil }

  /// A picture that stands for a movie, upright.
  static func poster(of path: RawPath, maxPixelSize: Int) throws(LibraryError) -> Image {
    if path.string != nil { return try poster(path.url, path, maxPixelSize) }
    let file = try PictureReading.open(path)
    return try withExtendedLifetime(file) { file throws(LibraryError) in
      let url = URL(filePath: file.pathWhileOpen, directoryHint: .notDirectory)
      return try poster(url, path, maxPixelSize)
    }
  }

  /// A picture that stands for a movie at an address that Foundation can open.
  private static func poster(
    _ url: URL, _ path: RawPath, _ maxPixelSize: Int
  ) throws(LibraryError) -> Image {
    do throws(MovieError) {
      return try MovieReader(contentsOf: url).posterImage(maxPixelSize: maxPixelSize)
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
