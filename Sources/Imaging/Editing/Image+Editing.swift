import Foundation

extension Image {
  /// A new picture that shows a part of this one, turned.
  func edited(_ edit: PixelEdit, _ oddEdges: OddEdges) throws(ImagingError) -> Image {
    guard let encodedData, format == .jpeg else {
      return Image(
        try edit.applied(to: pixelBuffer()), metadata: metadata, orientation: edit.orientation,
        colorProfile: profileOfPixels)
    }
    let (data, _) = try JPEGTransform.edited(
      encodedData.bytes, edit, oddEdges: oddEdges, limits: limits)
    return try Image(data, limits: limits)
  }
}
