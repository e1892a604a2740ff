extension Image {
  /// How much a picture may ask for, whatever its bytes declare.
  ///
  /// What is above a limit is refused with `.tooLarge` before memory is taken or time is spent for
  /// it.
  public struct Limits: Hashable, Sendable {
    /// The most pixels that a picture may declare.
    public var pixelCount: Int
    /// The most scans of a JPEG. No camera or program writes hundreds of them; a file of a few
    /// kilobytes that does keeps a processor busy for minutes.
    ///
    /// Whatever this says, all scans together go over half a thousand million samples at most, or
    /// over all of the picture eight times: programs' scans do so three times or four.
    public var scanCount: Int
    /// The most bytes of what a picture says of itself: EXIF, XMP, colour profiles, comments; and
    /// of a PNG's compressed texts, where these have to be read, what they stand for all together.
    public var metadataByteCount: Int
    /// The most bytes of memory that decoding may take, or making a picture of another size, pixels
    /// included; and the most that a file may have which is read whole.
    public var memoryByteCount: Int

    /// What is allowed unless somebody says otherwise: 200 million pixels, 500 scans, 64 MiB of
    /// metadata and 1 GiB of memory.
    public static let standard = Limits()

    /// Names the limits that are to differ from ``standard``.
    public init(
      pixelCount: Int = 200_000_000, scanCount: Int = 500, metadataByteCount: Int = 64 << 20,
      memoryByteCount: Int = 1 << 30
    ) {
      self.pixelCount = pixelCount
      self.scanCount = scanCount
      self.metadataByteCount = metadataByteCount
      self.memoryByteCount = memoryByteCount
    }
  }
}

// MARK: - Checks

extension Image.Limits {
  /// Refuses a declared size.
  func check(_ size: PixelSize) throws(ImagingError) {
    guard size.pixelCount <= pixelCount else {
      throw ImagingError(.tooLarge, "The picture has \(size) pixels; \(pixelCount) are allowed.")
    }
  }

  /// Refuses what a picture says of itself for its length.
  func check(metadataByteCount count: Int) throws(ImagingError) {
    guard count <= metadataByteCount else { throw .tooMuchMetadata("\(count)", self) }
  }

  /// Refuses pixels that take more memory than is allowed.
  func check(memoryByteCount count: Int) throws(ImagingError) {
    guard count <= memoryByteCount else {
      throw ImagingError(
        .tooLarge,
        "The picture's pixels take \(count) bytes of memory; \(memoryByteCount) are allowed: raise "
          + "Image.Limits.memoryByteCount, or make the picture smaller.")
    }
  }

  /// What is left of the memory for a decoder once the pixels have theirs.
  ///
  /// - Parameter pixelByteCount: Bytes of the decoded pixels.
  /// - Returns: Bytes.
  /// - Throws: `.tooLarge` where not even the pixels are allowed.
  func memory(besidePixels pixelByteCount: Int) throws(ImagingError) -> Int {
    try check(memoryByteCount: pixelByteCount)
    return memoryByteCount - pixelByteCount
  }
}

extension ImagingError {
  static func tooMuchMetadata(_ count: String, _ limits: Image.Limits) -> ImagingError {
    ImagingError(
      .tooLarge,
      "The picture has \(count) bytes of metadata; \(limits.metadataByteCount) are allowed: raise "
        + "Image.Limits.metadataByteCount.")
  }
}

extension PixelSize {
  /// Columns times rows; the largest number where that has none.
  var pixelCount: Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }
}
