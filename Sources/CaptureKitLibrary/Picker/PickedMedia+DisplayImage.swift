public import Foundation
public import Imaging

extension PickedMedia {
  /// The picture at the size that it is shown in; the original stays as it is.
  ///
  /// ```swift
  /// let shown = try media.displayImage(fitting: view.size, scale: screen.scale)
  /// ```
  ///
  /// It is the edited picture where there is one; of a movie its poster. A JPEG is decoded only as
  /// finely as that needs. Never larger than the picture itself, except where the content mode says
  /// that it fills the size: a front end scales a small picture up by itself.
  ///
  /// - Parameters:
  ///   - size: The view's size in points.
  ///   - scale: Pixels in a point, as the screen has them.
  ///   - contentMode: How a view of other proportions is filled.
  /// - Returns: A picture of pixels, upright, with the original's colour profile.
  /// - Throws: ``LibraryError`` with the code `unsupportedPicture`: the size or the scale is not
  ///   above 0 or far too large, the picture is damaged, or the movie has no poster.
  public func displayImage(
    fitting size: CGSize, scale: Double = 1, contentMode: Image.ContentMode = .scaleAspectFit
  ) throws(LibraryError) -> Image {
    guard let image = try self.image == nil ? poster() : self.image else {
      throw LibraryError(.unsupportedPicture, "There is no picture to be shown.")
    }
    do throws(ImagingError) {
      let (own, wished) = (
        image.size as PixelSize, (Double(size.width) * scale, Double(size.height) * scale)
      )
      guard contentMode == .scaleAspectFit, wished.0 >= Double(own.width),
        wished.1 >= Double(own.height)
      else { return try image.resized(to: size, contentMode: contentMode, scale: scale) }
      return try image.resized(
        to: CGSize(width: own.width, height: own.height), contentMode: .scaleToFill)
    } catch {
      throw LibraryError(
        .unsupportedPicture, "The picture cannot be shown: \(error)", errno: error.errno)
    }
  }
}
