import Foundation

/// Which part of a picture fills how many new pixels.
struct ScalePlacement: Hashable {
  /// The part's left edge, in the picture's pixels.
  var x: Double
  /// Its upper edge.
  var y: Double
  /// Its width.
  var width: Double
  /// Its height.
  var height: Double
  /// The new picture.
  var target: PixelSize

  /// The whole picture at another size.
  init(whole picture: PixelSize, at target: PixelSize) {
    (x, y) = (0, 0)
    (width, height) = (Double(picture.width), Double(picture.height))
    self.target = target
  }

  /// A picture that is made to fill a size.
  ///
  /// - Throws: `.invalidSize` for sizes that are no picture's.
  init(
    of picture: PixelSize, filling size: CGSize, scale: Double, _ mode: Image.ContentMode
  ) throws(ImagingError) {
    let box = try Self.pixels(size, scale)
    switch mode {
    case .scaleToFill:
      self.init(whole: picture, at: Self.rounded(box.width, box.height))
    case .scaleAspectFit:
      let factor = min(box.width / Double(picture.width), box.height / Double(picture.height))
      self.init(
        whole: picture,
        at: Self.rounded(Double(picture.width) * factor, Double(picture.height) * factor))
    case .scaleAspectFill:
      self.init(whole: picture, at: Self.rounded(box.width, box.height))
      cropToProportions()
    }
  }

  /// A picture whose longer side is made no longer than a number of pixels; never larger than it
  /// is.
  ///
  /// - Throws: `.invalidSize` for less than one pixel.
  init(of picture: PixelSize, longestSide: Int) throws(ImagingError) {
    guard longestSide > 0 else {
      throw ImagingError(
        .invalidSize, "A thumbnail cannot have \(longestSide) pixels: it needs one at least.")
    }
    let factor = Double(longestSide) / Double(max(picture.width, picture.height))
    guard factor < 1 else {
      self.init(whole: picture, at: picture)
      return
    }
    self.init(
      whole: picture,
      at: Self.rounded(Double(picture.width) * factor, Double(picture.height) * factor))
  }

  /// The same for the rows and columns as they are stored. The part lies in the picture's middle,
  /// so that turning and mirroring move it nowhere else.
  func stored(by orientation: ImageOrientation) -> ScalePlacement {
    guard orientation.swapsSides else { return self }
    var turned = self
    (turned.x, turned.y) = (y, x)
    (turned.width, turned.height) = (height, width)
    turned.target = target.shown(by: orientation)
    return turned
  }

  private mutating func cropToProportions() {
    let factor = max(Double(target.width) / width, Double(target.height) / height)
    let part = (
      width: min(width, Double(target.width) / factor),
      height: min(height, Double(target.height) / factor)
    )
    (x, y) = ((width - part.width) / 2, (height - part.height) / 2)
    (width, height) = part
  }
}

// MARK: - Sizes

extension ScalePlacement {
  /// The most pixels that a new picture may have.
  static let mostPixels = Image.Limits.standard.pixelCount

  private static func pixels(
    _ size: CGSize, _ scale: Double
  ) throws(ImagingError) -> (width: Double, height: Double) {
    let (width, height) = (Double(size.width) * scale, Double(size.height) * scale)
    guard scale > 0, scale.isFinite, size.width > 0, size.height > 0, width.isFinite,
      height.isFinite
    else {
      throw ImagingError(
        .invalidSize,
        "No picture has \(size.width)×\(size.height) points at a scale of \(scale).")
    }
    let most = Double(PixelLayout.maximumSide)
    guard width < most + 0.5, height < most + 0.5, width * height <= Double(mostPixels) else {
      throw ImagingError(
        .tooLarge,
        "A picture of \(size.width)×\(size.height) points at a scale of \(scale) cannot be made: "
          + "it may have \(mostPixels) pixels, and \(PixelLayout.maximumSide) in a row or column.")
    }
    return (width, height)
  }

  private static func rounded(_ width: Double, _ height: Double) -> PixelSize {
    let most = Double(PixelLayout.maximumSide)
    return PixelSize(
      width: Int(min(max(width.rounded(), 1), most)),
      height: Int(min(max(height.rounded(), 1), most)))
  }
}
