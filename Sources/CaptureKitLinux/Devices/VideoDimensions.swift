/// A picture's width and height in pixels, as Apple's `CMVideoDimensions`.
public struct VideoDimensions: Hashable, Sendable {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Names a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels; `Int.max` where there are more.
  public var pixelCount: Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }
}

// MARK: - CustomStringConvertible

extension VideoDimensions: CustomStringConvertible {
  /// Width and height, `1280x720`.
  public var description: String { "\(width)x\(height)" }
}
