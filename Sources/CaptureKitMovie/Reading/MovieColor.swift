import Imaging

/// What a movie's samples stand for where the file says only a part of it.
enum MovieColor {
  /// - Parameters:
  ///   - matrix: What the file says of luma's weights; nil for nothing.
  ///   - isFull: Whether black is 0; nil where the file does not say.
  ///   - height: Rows as stored.
  ///   - format: How the samples are read.
  /// - Returns: What the file says; else what players assume: limited range, and high definition's
  ///   matrix above the 576 rows that television had.
  static func description(
    matrix: ColorDescription.Matrix?, isFull: Bool?, height: Int, format: PixelFormat?
  ) -> ColorDescription {
    if let format, format.isRGB { return .jpeg }
    let isFull = isFull ?? (format == .grey)
    return ColorDescription(
      matrix: matrix ?? (height > 576 && !isFull ? .bt709 : .bt601),
      range: isFull ? .full : .limited)
  }
}
