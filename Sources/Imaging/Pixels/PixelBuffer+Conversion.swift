extension PixelBuffer {
  /// The same picture in another format, its range and matrix honoured.
  ///
  /// - Parameter format: `.bgra32`, or the picture's own format.
  /// - Returns: The picture, rows without a gap; the same samples where the format is its own.
  /// - Throws: `.unsupported` for other formats.
  public func converted(to format: PixelFormat) throws(ImagingError) -> PixelBuffer {
    if format == self.format { return self }
    guard format == .bgra32 else {
      throw ImagingError(.unsupported, "\(self.format) cannot be converted to \(format).")
    }
    return try LibYUVBridge.bgra(self)
  }
}
