/// What a node's pictures are, as its driver has settled it.
package struct VideoFormat: Hashable, Sendable {
  /// One of the memory areas of a picture.
  package struct Plane: Hashable, Sendable {
    /// From one row to the next; 0 for compressed formats.
    package let bytesPerLine: UInt32
    /// What a picture needs at most.
    package let byteCount: UInt32

    package init(bytesPerLine: UInt32, byteCount: UInt32) {
      self.bytesPerLine = bytesPerLine
      self.byteCount = byteCount
    }
  }

  package let size: FrameSize
  package let fourcc: FourCC
  /// 1 to 8. A single-planar node has one, whose area holds all of a planar format's planes.
  package let planes: [Plane]
  package let field: Field
  package let colorspace: Colorspace
  package let ycbcrEncoding: YCbCrEncoding
  package let quantization: Quantization

  package init(
    size: FrameSize, fourcc: FourCC, planes: [Plane], field: Field = .none,
    colorspace: Colorspace = .unspecified, ycbcrEncoding: YCbCrEncoding = .unspecified,
    quantization: Quantization = .unspecified
  ) {
    self.size = size
    self.fourcc = fourcc
    self.planes = planes
    self.field = field
    self.colorspace = colorspace
    self.ycbcrEncoding = ycbcrEncoding
    self.quantization = quantization
  }
}
