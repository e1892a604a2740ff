import Foundation

/// Changes of what a picture says of itself. Its pixels' data stays what it is, byte for byte.
extension Image {
  /// The picture with other metadata.
  ///
  /// Only tags that differ are written. A value of the old one's size takes its place, and the file
  /// is otherwise the same, byte for byte; others are written behind what is there. Maker notes
  /// never move, XMP, IPTC and colour profile stay, but for XMP's orientation, which follows, and
  /// its position, which goes where the location changes; so does what EXIF says of the old place
  /// beside its coordinates. A property that becomes nil goes; the location as
  /// ``strippingLocation()`` takes it away.
  ///
  /// EXIF that is damaged is written anew, of what can be read in it, where readers would not see
  /// the change.
  ///
  /// Where further pictures lie behind the first one (MPF, CIPA DC-007), their offsets still hit;
  /// the index says the first picture's old size, which readers do not ask for.
  ///
  /// - Parameter metadata: What the picture is to say; tags that this type does not have stay.
  /// - Returns: A picture that shares the pixels, if they are decoded.
  /// - Throws: `.tooLarge` where a JPEG segment has no room for it, `.invalidMetadata` for what
  ///   EXIF cannot say, as a place that is none or a year of five digits, `.unsupported` for kinds
  ///   of files that cannot be changed.
  public func settingMetadata(_ metadata: ImageMetadata) throws(ImagingError) -> Image {
    try metadata.checkThatItCanBeSaid(insteadOf: self.metadata)
    guard let encodedData, let picture else {
      return Image(try storedPixels(), metadata: metadata, colorProfile: colorProfile)
    }
    if self.metadata.location != nil, metadata.location == nil {
      return try strippingLocation().settingMetadata(metadata)
    }
    guard metadata != self.metadata else { return self }
    if metadata.location != self.metadata.location {
      // XMP may say the old one.
      let data = try picture.removingPosition(from: encodedData, limits: limits)
      return try settingExif(metadata, in: data, ImageFormat.picture(in: data.bytes).picture)
    }
    return try settingExif(metadata, in: encodedData, picture)
  }

  private func settingExif(
    _ metadata: ImageMetadata, in data: Data, _ picture: any EncodedPicture
  ) throws(ImagingError) -> Image {
    let tiff = try metadata.exifBlock(
      changing: picture.exifBlock(in: data.bytes), size: picture.size)
    return try Image(self, in: picture.replacingExif(in: data, with: tiff))
  }

  /// The picture with changed metadata.
  ///
  /// ```swift
  /// let shared = try photo.changingMetadata {
  ///   $0.location = nil
  ///   $0.imageDescription = "Our bicycle"
  /// }
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
  /// What says a place goes: positions, and names of places in EXIF, XMP, IPTC and PNG's texts. In
  /// EXIF it becomes zeros and in XMP blanks, so that nothing else moves; a text, a comment or a
  /// block that speaks of a position goes as a whole, and so does what cannot be read to its end.
  /// Of a JPEG's application segments and a PNG's chunks those stay that decide about the pixels or
  /// whose content is known; what lies behind a JPEG picture goes: further pictures there have EXIF
  /// of their own.
  ///
  /// Maker notes stay, unless a position or a name of a place is found in them; nobody but their
  /// maker knows all of them. The address of a picture's author, keywords and descriptions in words
  /// stay.
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
  /// What its colours mean stays, the profile for one, and its orientation: a picture that is not
  /// stored upright keeps an EXIF block that says nothing else. Thumbnails go, and so does what
  /// lies between a JPEG's scans.
  ///
  /// - Returns: A picture that shares the pixels, if they are decoded.
  /// - Throws: `.incomplete` where the end of a JPEG is missing, `.unsupported` for kinds of files
  ///   that cannot be changed.
  public func strippingAllMetadata() throws(ImagingError) -> Image {
    guard let encodedData, let picture else {
      return Image(try storedPixels(), orientation: orientation, colorProfile: colorProfile)
    }
    return try Image(
      self, in: picture.strippingMetadata(from: encodedData, keeping: orientation))
  }
}
