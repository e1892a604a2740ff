import Foundation

/// Changes of what a picture says of itself. Its pixels' data stays what it is, byte for byte.
extension Image {
  /// The picture with other metadata.
  ///
  /// Only tags that differ are written. A value of the old one's size takes its place, and the file is
  /// otherwise the same, byte for byte; others are written behind what is there. Maker notes never move, XMP,
  /// IPTC and colour profile stay. A property that becomes nil goes; the location as ``strippingLocation()``
  /// takes it away.
  ///
  /// Where further pictures lie behind the first one (MPF, CIPA DC-007), their offsets still hit; the index
  /// says the first picture's old size, which readers do not ask for.
  ///
  /// - Parameter metadata: What the picture is to say; tags that this type does not have stay.
  /// - Returns: A picture that shares the pixels, if they are decoded.
  /// - Throws: `.tooLarge` where a JPEG segment has no room for it, `.unsupported` for kinds of files that
  ///   cannot be changed.
  public func settingMetadata(_ metadata: ImageMetadata) throws(ImagingError) -> Image {
    guard let encodedData, let picture else {
      return Image(try storedPixels(), metadata: metadata, colorProfile: colorProfile)
    }
    if self.metadata.location != nil, metadata.location == nil {
      return try strippingLocation().settingMetadata(metadata)
    }
    guard metadata != self.metadata else { return self }
    let tiff = metadata.exifBlock(
      changing: picture.exifBlock(in: encodedData.bytes), size: picture.size)
    return try Image(self, in: picture.replacingExif(in: encodedData, with: tiff))
  }

  /// The picture with changed metadata.
  ///
  /// ```swift
  /// let shared = try photo.changingMetadata { $0.location = nil; $0.imageDescription = "Our bicycle" }
  /// ```
  ///
  /// - Parameter change: Changes what the picture says.
  /// - Returns: As ``settingMetadata(_:)``.
  /// - Throws: As ``settingMetadata(_:)``.
  public func changingMetadata(
    _ change: (inout ImageMetadata) -> Void
  ) throws(ImagingError) -> Image {
    var metadata = metadata
    change(&metadata)
    return try settingMetadata(metadata)
  }

  /// The picture with another orientation.
  ///
  /// Two bytes of a file change that has one already.
  ///
  /// - Parameter orientation: How the stored rows are to be shown.
  /// - Returns: As ``settingMetadata(_:)``.
  /// - Throws: As ``settingMetadata(_:)``.
  public func withOrientation(_ orientation: ImageOrientation) throws(ImagingError) -> Image {
    try changingMetadata { $0.orientation = orientation }
  }

  /// The picture without anything that says where it was taken.
  ///
  /// The location's tags in EXIF become zeros, those in XMP and the names of places there become blanks, so that nothing
  /// else moves. IPTC's names of places go, and its other datasets stay. Comments and other segments that speak of a position go, and in JPEG files what lies behind the
  /// picture: further pictures there have EXIF of their own. Maker notes stay, and nobody but their maker
  /// knows what is in them.
  ///
  /// - Returns: A picture that shares the pixels, if they are decoded.
  /// - Throws: `.unsupported` for kinds of files that cannot be changed.
  public func strippingLocation() throws(ImagingError) -> Image {
    guard let encodedData, let picture else {
      var metadata = metadata
      metadata.location = nil
      return Image(try storedPixels(), metadata: metadata, colorProfile: colorProfile)
    }
    return try Image(self, in: picture.strippingLocation(from: encodedData, limits: limits))
  }

  /// The picture without anything but its pixels.
  ///
  /// What its colours mean stays, the profile for one, and its orientation: a picture that is not stored
  /// upright keeps an EXIF block that says nothing else. Thumbnails go, and so does what lies between a JPEG's scans.
  ///
  /// - Returns: A picture that shares the pixels, if they are decoded.
  /// - Throws: `.incomplete` where the end of a JPEG is missing, `.unsupported` for kinds of files that cannot
  ///   be changed.
  public func strippingAllMetadata() throws(ImagingError) -> Image {
    guard let encodedData, let picture else {
      return Image(try storedPixels(), orientation: orientation, colorProfile: colorProfile)
    }
    return try Image(
      self, in: picture.strippingMetadata(from: encodedData, keeping: orientation))
  }
}
