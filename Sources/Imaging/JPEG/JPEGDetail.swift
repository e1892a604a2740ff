/// How finely a JPEG is decoded: the samples that become of the eight along each side of a block.
package enum JPEGDetail: Int, CaseIterable, Sendable {
  case eighth = 1
  case quarter = 2
  case half = 4
  case full = 8

  /// The coarsest one that leaves some samples along both sides; of a picture that is not large
  /// enough all.
  ///
  /// - Parameters:
  ///   - width: The least samples in a row of the picture.
  ///   - height: The least rows.
  ///   - size: The picture's size.
  package init(leaving width: Double, by height: Double, of size: PixelSize) {
    self =
      Self.allCases.first { detail in
        let part = Double(detail.rawValue) / 8
        return Double(size.width) * part >= width && Double(size.height) * part >= height
      } ?? .full
  }

  /// What is left of a picture of some size.
  func size(of size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width * rawValue + 7) / 8, height: (size.height * rawValue + 7) / 8)
  }
}
