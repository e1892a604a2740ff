/// Where the samples of an uncompressed picture lie in its bytes.
///
/// Planes follow each other in one block of memory (`NV12`, `YU12`) or have a block each
/// (`NM12`, `YM12`), as the kernel documents its formats.
public struct PixelLayout: Hashable, Sendable {
  /// One plane: equally long rows of samples.
  public struct Plane: Hashable, Sendable {
    /// The block of memory that holds the plane, from 0.
    public var block: Int
    /// Bytes from the block's start to the first row.
    public var offset: Int
    /// Bytes from one row's start to the next one's.
    public var bytesPerRow: Int
    /// Bytes of a row that carry samples.
    public var sampleBytesPerRow: Int
    /// The number of rows.
    public var rowCount: Int

    /// The last byte that the plane needs, exclusive, counted from the block's start; the largest
    /// number where that has none.
    public var endOffset: Int {
      guard rowCount > 0 else { return offset }
      let (gaps, isTooLong) = (rowCount - 1).multipliedReportingOverflow(by: bytesPerRow)
      let (rows, isTooHigh) = gaps.addingReportingOverflow(sampleBytesPerRow)
      let (end, isTooFar) = offset.addingReportingOverflow(rows)
      return isTooLong || isTooHigh || isTooFar ? .max : end
    }
  }

  /// How the samples are to be read.
  public let format: PixelFormat
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The planes in the format's order.
  public let planes: [Plane]
  /// The number of memory blocks: 1, or one for each plane.
  public let blockCount: Int

  /// The most pixels that a side may have: a JPEG's limit, and far above any sensor's.
  public static let maximumSide = 65_535

  /// Lays a picture out as the kernel documents its format; nil for a format that this library does
  /// not read, a size out of bounds, or rows shorter than their samples.
  ///
  /// - Parameters:
  ///   - format: An uncompressed format that this library reads.
  ///   - width: Pixels in a row, 1 to `maximumSide`.
  ///   - height: Rows, 1 to `maximumSide`.
  ///   - bytesPerRow: Bytes from row to row, one number for each memory block; nil for rows without
  ///     a gap. Chroma rows in the block of their luma follow from its number as the kernel
  ///     documents it: the same for `NV12`, half of it for `YU12`.
  public init?(
    format: PixelFormat, width: Int, height: Int, bytesPerRow: [Int]? = nil
  ) {
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height),
      let shapes = Self.shapes(of: format, width: width, height: height)
    else { return nil }

    var planes: [Plane] = []
    var end = 0
    for shape in shapes {
      if let last = planes.last, last.block != shape.block { end = 0 }
      let declared = bytesPerRow.flatMap {
        $0.indices.contains(shape.block) ? $0[shape.block] : nil
      }
      let stride = declared.map { $0 / shape.strideDivisor } ?? shape.sampleBytes
      guard stride >= shape.sampleBytes, stride <= 1 << 24 else { return nil }
      planes.append(
        Plane(
          block: shape.block, offset: end, bytesPerRow: stride,
          sampleBytesPerRow: shape.sampleBytes, rowCount: shape.rows))
      let (size, overflow) = stride.multipliedReportingOverflow(by: shape.rows)
      let (next, isTooLarge) = end.addingReportingOverflow(size)
      guard !overflow, !isTooLarge else { return nil }
      end = next
    }
    self.format = format
    self.width = width
    self.height = height
    self.planes = planes
    self.blockCount = (planes.last?.block ?? 0) + 1
  }

  /// The same picture with its planes elsewhere.
  init(_ layout: PixelLayout, planes: [Plane]) {
    format = layout.format
    width = layout.width
    height = layout.height
    self.planes = planes
    blockCount = layout.blockCount
  }

  /// Bytes that a block must have to hold its planes.
  public func byteCount(ofBlock block: Int) -> Int {
    planes.lazy.filter { $0.block == block }.map(\.endOffset).max() ?? 0
  }
}

// MARK: - What the formats look like

extension PixelLayout {
  private struct Shape {
    var block: Int
    var sampleBytes: Int
    var rows: Int
    /// A plane's row is its block's declared row divided by this.
    var strideDivisor = 1
  }

  private static func shapes(of format: PixelFormat, width: Int, height: Int) -> [Shape]? {
    let halfWidth = (width + 1) / 2
    let halfHeight = (height + 1) / 2
    switch format {
    case .yuyv, .uyvy: return [Shape(block: 0, sampleBytes: halfWidth * 4, rows: height)]
    case .grey: return [Shape(block: 0, sampleBytes: width, rows: height)]
    case .rgb24, .bgr24: return [Shape(block: 0, sampleBytes: width * 3, rows: height)]
    case .bgra32: return [Shape(block: 0, sampleBytes: width * 4, rows: height)]
    case .nv12, .nv12Multiplanar:
      return [
        Shape(block: 0, sampleBytes: width, rows: height),
        Shape(
          block: format == .nv12 ? 0 : 1, sampleBytes: halfWidth * 2, rows: halfHeight),
      ]
    case .yuv420:
      let chroma = Shape(block: 0, sampleBytes: halfWidth, rows: halfHeight, strideDivisor: 2)
      return [Shape(block: 0, sampleBytes: width, rows: height), chroma, chroma]
    case .yuv420Multiplanar:
      return [
        Shape(block: 0, sampleBytes: width, rows: height),
        Shape(block: 1, sampleBytes: halfWidth, rows: halfHeight),
        Shape(block: 2, sampleBytes: halfWidth, rows: halfHeight),
      ]
    default: return nil
    }
  }
}
