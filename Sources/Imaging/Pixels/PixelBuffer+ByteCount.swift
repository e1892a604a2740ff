extension PixelBuffer {
  /// Bytes of the memory that holds the samples, gaps between rows included.
  public var byteCount: Int { blocks.reduce(0) { $0 + $1.byteCount } }
}
