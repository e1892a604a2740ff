/// An uncompressed picture in memory: samples, their layout, and what they stand for.
///
/// A value that copies no samples when it is copied. Its bytes may be a driver's own buffer on
/// lease; they never change while the value lives.
public struct PixelBuffer: Sendable {
  /// Where the samples lie.
  public let layout: PixelLayout
  /// What the samples stand for; of no meaning for RGB formats.
  public let color: ColorDescription
  package let blocks: [SharedBytes]

  /// Wraps memory blocks; nil where a block is missing or shorter than the layout needs.
  package init?(layout: PixelLayout, color: ColorDescription, blocks: [SharedBytes]) {
    guard blocks.count >= layout.blockCount,
      (0..<layout.blockCount).allSatisfy({ blocks[$0].byteCount >= layout.byteCount(ofBlock: $0) })
    else { return nil }
    self.layout = layout
    self.color = color
    self.blocks = blocks
  }

  /// Takes samples that lie in one array, planes one after the other; nil where there are too few
  /// bytes, or the layout has several blocks.
  ///
  /// - Parameters:
  ///   - layout: Where the samples lie; a layout of one memory block.
  ///   - color: What they stand for.
  ///   - bytes: At least `layout.byteCount(ofBlock: 0)` bytes.
  public init?(layout: PixelLayout, color: ColorDescription = .jpeg, bytes: [UInt8]) {
    guard layout.blockCount == 1 else { return nil }
    self.init(layout: layout, color: color, blocks: [SharedBytes(bytes)])
  }

  /// How the samples are to be read.
  public var format: PixelFormat { layout.format }
  /// Pixels in a row.
  public var width: Int { layout.width }
  /// Rows.
  public var height: Int { layout.height }
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// The bytes of one plane, from its first row's first byte to its last row's last sample.
  ///
  /// - Parameter plane: An index of `layout.planes`; an index out of bounds traps, as an array's
  ///   does.
  /// - Returns: A view that ends with the picture's own life.
  @_lifetime(borrow self)
  public func bytes(ofPlane plane: Int) -> RawSpan {
    let place = layout.planes[plane]
    return _overrideLifetime(
      blocks[place.block].bytes.extracting(place.offset..<place.endOffset), borrowing: self)
  }
}
