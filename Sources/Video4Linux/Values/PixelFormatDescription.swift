/// A pixel format that a node offers.
package struct PixelFormatDescription: Hashable, Sendable {
  package let fourcc: FourCC
  /// The driver's words.
  package let description: String
  package let isCompressed: Bool

  package init(fourcc: FourCC, description: String, isCompressed: Bool) {
    self.fourcc = fourcc
    self.description = description
    self.isCompressed = isCompressed
  }
}
