import Dispatch
import Foundation
import Imaging

extension Image {
  /// Looks whether all of a picture can be decoded, without keeping its pixels.
  ///
  /// - Throws: ``LibraryError``: `unsupportedPicture`, `tooLarge`.
  func check(_ name: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try self.check(name) })
      }
    }
  }

  private func check(_ name: String) throws(LibraryError) {
    do throws(ImagingError) {
      // Of a JPEG all rows are read and none is kept.
      _ = try thumbnail(maxPixelSize: 64, quality: .fast)
      releasePixels()
    } catch {
      throw LibraryError(
        error.code == .tooLarge ? .tooLarge : .unsupportedPicture,
        "\(name) cannot be used: \(error)", errno: error.errno)
    }
  }
}

extension PickedMedia {
  /// Looks whether a movie can be shown.
  ///
  /// - Throws: ``LibraryError``: `unsupportedPicture`.
  func checkMovie() async throws {}

  /// A movie's poster; nil for what has none.
  func poster() throws(LibraryError) -> Image? { nil }
}
