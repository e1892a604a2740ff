public import Foundation

extension Image {
  /// A JPEG picture newly encoded from the pixels, as Apple's `UIImage` makes it.
  ///
  /// Orientation and metadata go into its EXIF, the colour profile goes along; transparent pixels
  /// are shown on white. For the bytes that the picture came in see `encodedData`.
  ///
  /// - Parameter compressionQuality: 0, the smallest, to 1, the best.
  /// - Returns: The bytes; nil where the picture cannot be decoded, or EXIF cannot say its
  ///   metadata.
  public func jpegData(compressionQuality: Double) -> Data? {
    guard var pixels = try? storedPixels() else { return nil }
    if picture?.hasAlpha ?? true, LibPNGBridge.hasAlpha(pixels) {
      guard let flat = try? LibPNGBridge.flattened(pixels) else { return nil }
      pixels = flat
    }
    if isGrey(pixels), let grey = try? pixels.converted(to: .grey) { pixels = grey }
    guard
      let encoded = try? JPEGEncoder(quality: compressionQuality).encode(pixels, metadata: metadata)
    else { return nil }
    guard let profile = profile(forGrey: pixels.format == .grey),
      let structure = try? JPEGStructure(headersOf: encoded.bytes),
      let first = structure.segments.first
    else { return encoded }
    let segments = JPEGStructure.segments(of: profile)
    var result = Data(capacity: encoded.count + segments.count)
    result.append(0..<first.range.upperBound, of: encoded.bytes)
    result.append(segments)
    result.append(first.range.upperBound..<encoded.count, of: encoded.bytes)
    return result
  }

  /// A PNG picture newly encoded from the pixels, as Apple's `UIImage` makes it: no pixel changes.
  ///
  /// Orientation and metadata go into its `eXIf` chunk, the colour profile into `iCCP`. Pictures
  /// without transparency become RGB, grey ones grey.
  ///
  /// - Returns: The bytes; nil where the picture cannot be decoded, or EXIF cannot say its
  ///   metadata.
  public func pngData() -> Data? {
    guard let pixels = try? storedPixels(),
      let direct = LibPNGBridge.canEncode(pixels.format) ? pixels : try? pixelBuffer()
    else { return nil }
    let isGrey = isGrey(direct)
    guard let encoded = try? LibPNGBridge.encode(direct, isGrey: isGrey) else { return nil }
    let size = PixelSize(width: pixelWidth, height: pixelHeight)
    guard let tiff = try? metadata.exifBlock(changing: nil, size: size) else { return nil }
    let profile = profile(forGrey: isGrey)
    guard !tiff.isEmpty || profile != nil else { return encoded }
    return (try? PNGStructure(walking: encoded.bytes))?.adding(profile, exif: tiff, to: encoded)
  }

  /// Whether pixels are to be encoded as grey ones: where they are, and the profile is none of
  /// colours.
  private func isGrey(_ pixels: PixelBuffer) -> Bool {
    if pixels.format == .grey { return true }
    switch colorProfile?.colorSpace {
    case "RGB": return false
    case "GRAY": return picture?.isGrey ?? LibPNGBridge.isGrey(pixels)
    default: return picture?.isGrey == true
    }
  }

  /// The profile where it fits newly encoded samples: one of CMYK's inks or of grey fits no RGB.
  private func profile(forGrey isGrey: Bool) -> ColorProfile? {
    colorProfile.flatMap { $0.colorSpace == (isGrey ? "GRAY" : "RGB") ? $0 : nil }
  }
}
