import Foundation
import Imaging
import LinuxSystem

/// What is asked of movies; the one place that opens them.
enum MovieLook {
  /// When a movie was taken, as its container says; nil where it does not.
  static func captureDate(of path: RawPath) -> Date? { nil }

  /// A picture that stands for a movie, upright.
  static func poster(of path: RawPath, maxPixelSize: Int) throws(LibraryError) -> Image {
    throw LibraryError(
      .unsupportedPicture, "\(path.shown) is a movie, and no picture of it can be made.")
  }
}
