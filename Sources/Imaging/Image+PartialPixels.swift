extension Image {
  /// What could be decoded of a picture that is damaged or whose end is missing.
  public struct PartialPixels: Sendable {
    /// The whole picture, BGRA, as stored. Of a picture in one scan the rows from ``wholeRowCount``
    /// on hold what came of them, and mid grey (128, 128, 128) where nothing did. Of a progressive
    /// picture all rows show what the scans that came tell, less detail than was meant.
    public let pixels: PixelBuffer
    /// The rows from the top that are as the picture has them; 0 where a progressive picture lacks
    /// scans.
    public let wholeRowCount: Int

    /// Whether nothing is missing.
    public var isComplete: Bool { wholeRowCount == pixels.height }
  }
}
