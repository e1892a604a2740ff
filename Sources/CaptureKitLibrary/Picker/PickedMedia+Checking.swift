import CaptureKitMovie
import Dispatch
import Foundation
import Imaging

extension Image {
  /// Looks whether all of a picture can be decoded, without keeping its pixels.
  ///
  /// - Parameter name: What the file is called.
  /// - Throws: ``LibraryError``: `unsupportedPicture`, `tooLarge`.
  func check(_ name: String) async throws {
    try await besideOtherTasks {
      do throws(ImagingError) {
        // Of a JPEG all rows are read and none is kept.
        _ = try self.thumbnail(maxPixelSize: 64, quality: .fast)
        self.releasePixels()
      } catch {
        throw LibraryError(
          error.code == .tooLarge ? .tooLarge : .unsupportedPicture,
          "\(name) cannot be used: \(error)", errno: error.errno)
      }
    }
  }
}

extension PickedMedia {
  /// Looks whether a movie can be shown.
  ///
  /// - Throws: ``LibraryError``: `unsupportedPicture`, `tooLarge`, `notPermitted`.
  func checkMovie() async throws {
    try await besideOtherTasks { _ = try poster(maxPixelSize: 64) }
  }

  /// A movie's poster; nil for what is no movie.
  ///
  /// - Parameter maxPixelSize: The most pixels of its longer side; nil for all that it has.
  /// - Returns: The poster, upright.
  /// - Throws: ``LibraryError``: `unsupportedPicture`, `tooLarge`, `notPermitted`.
  func poster(maxPixelSize: Int? = nil) throws(LibraryError) -> Image? {
    guard let mediaURL else { return nil }
    do throws(MovieError) {
      return try MovieReader(contentsOf: mediaURL).posterImage(maxPixelSize: maxPixelSize)
    } catch {
      let code: LibraryError.Code =
        switch error.code {
        case .notPermitted: .notPermitted
        case .tooLarge: .tooLarge
        default: .unsupportedPicture
        }
      throw LibraryError(
        code, "\(mediaURL.lastPathComponent) cannot be used: \(error)", errno: error.errno)
    }
  }
}

/// Does what keeps a processor busy where it does not hold up the program's tasks.
private func besideOtherTasks(_ body: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}
