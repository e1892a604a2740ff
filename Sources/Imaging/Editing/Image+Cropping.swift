public import Foundation

extension Image {
  /// A part of the picture.
  ///
  /// Of a JPEG the blocks of samples that make up the part are taken without decoding, where its
  /// left and upper edge, as stored, lie between two blocks; the file keeps what it says of itself.
  /// Up to 15 rows and columns right of the part and below it then stay in the last blocks, unseen.
  /// Other pictures are cut in pixels.
  ///
  /// Small pictures within the file do not go on showing what was cut off: EXIF's thumbnail is made
  /// anew, those in XMP and in segments of programs' own go, and in a maker note zeros take their
  /// places.
  ///
  /// - Parameters:
  ///   - rect: The part, in pixels of the picture as it is shown (``size``), from the upper left
  ///     corner.
  ///   - oddEdges: What to do where a JPEG's blocks do not allow it.
  /// - Returns: A new picture with the same orientation tag; with `OddEdges.trim` it may be smaller
  ///   than asked.
  /// - Throws: `.invalidRectangle` where the part is empty or does not lie within the picture;
  ///   `.corrupt` and `.incomplete` for damage, `.unsupported` for kinds that cannot be decoded and
  ///   where that was asked for, `.tooLarge` above the picture's limits.
  public func cropped(
    to rect: PixelRect, oddEdges: OddEdges = .reencode()
  ) throws(ImagingError) -> Image {
    guard rect.lies(within: size) else {
      throw ImagingError(
        .invalidRectangle, "\(rect) is no part of a picture of \(size) pixels.")
    }
    let stored = PixelSize(width: pixelWidth, height: pixelHeight)
    let part = PixelTurn(undoing: orientation).source(of: rect, in: stored)
    return try edited(PixelEdit(rect: part, turn: .none, orientation: orientation), oddEdges)
  }

  /// A part of the picture, its edges rounded to whole pixels.
  ///
  /// - Parameters:
  ///   - rect: The part, in pixels of the picture as it is shown (``size``), from the upper left
  ///     corner.
  ///   - oddEdges: What to do where a JPEG's blocks do not allow it.
  /// - Returns: As ``cropped(to:oddEdges:)-(PixelRect,_)``.
  /// - Throws: As ``cropped(to:oddEdges:)-(PixelRect,_)``; `.invalidRectangle` also for what is no
  ///   number.
  public func cropped(
    to rect: CGRect, oddEdges: OddEdges = .reencode()
  ) throws(ImagingError) -> Image {
    guard let whole = PixelRect(rounding: rect) else {
      throw ImagingError(
        .invalidRectangle,
        "\(rect.width)×\(rect.height) at \(rect.minX), \(rect.minY) is no part of a picture.")
    }
    return try cropped(to: whole, oddEdges: oddEdges)
  }
}

extension PixelRect {
  /// The nearest whole pixels; nil where an edge has none.
  init?(rounding rect: CGRect) {
    let (x, y) = (Double(rect.origin.x), Double(rect.origin.y))
    let (width, height) = (Double(rect.size.width), Double(rect.size.height))
    // Far above any picture's sides, and sums of these have whole numbers.
    let bounds = -1e9...1e9
    guard [x, y, width, height].allSatisfy(bounds.contains), width > 0, height > 0 else {
      return nil
    }
    let (left, upper) = (Int(x.rounded()), Int(y.rounded()))
    self.init(
      x: left, y: upper, width: Int((x + width).rounded()) - left,
      height: Int((y + height).rounded()) - upper)
  }
}
