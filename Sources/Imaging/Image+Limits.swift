extension Image {
  /// How much a picture may ask for, whatever its bytes declare.
  ///
  /// What is above a limit is refused with `.tooLarge` before memory is taken or time is spent for it.
  public struct Limits: Hashable, Sendable {
    /// The most pixels that a picture may declare.
    public var pixelCount: Int
    /// The most scans of a progressive JPEG. No camera or program writes hundreds of them; a file of a few
    /// kilobytes that does keeps a processor busy for minutes. Of pictures above 16 million pixels
    /// proportionally fewer are read, but no fewer than 64 unless this is less.
    public var scanCount: Int
    /// The most bytes of what a picture says of itself: EXIF, XMP, colour profiles, comments.
    public var metadataByteCount: Int
    /// The most bytes of memory that decoding may take, pixels included, and that a file may have which is read
    /// whole.
    public var memoryByteCount: Int

    /// What is allowed unless somebody says otherwise: 200 million pixels, 500 scans, 64 MiB of metadata and
    /// 1 GiB of memory.
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
    guard count <= metadataByteCount else {
      throw ImagingError(
        .tooLarge, "The picture has \(count) bytes of metadata; \(metadataByteCount) are allowed.")
    }
  }

  /// What is left of the memory for a decoder once the pixels have theirs.
  ///
  /// - Parameter pixelByteCount: Bytes of the decoded pixels.
  /// - Returns: Bytes.
  /// - Throws: `.tooLarge` where not even the pixels are allowed.
  func memory(besidePixels pixelByteCount: Int) throws(ImagingError) -> Int {
    guard pixelByteCount <= memoryByteCount else {
      throw ImagingError(
        .tooLarge,
        "The picture's pixels take \(pixelByteCount) bytes of memory; \(memoryByteCount) are allowed."
      )
    }
    return memoryByteCount - pixelByteCount
  }

  /// The most scans of a picture of some size: each costs time for all its pixels, however few bytes it has.
  func scanCount(of size: PixelSize) -> Int {
    min(scanCount, max(64, 8_000_000_000 / max(1, size.pixelCount)))
  }
}

extension PixelSize {
  /// Columns times rows; the largest number where that has none.
  var pixelCount: Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }
}
