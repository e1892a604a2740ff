/// A pixel format that has to be converted before anybody can look at it: what its bytes are, and
/// what becomes of them.
package struct SampleFormat: Hashable, Sendable {
  /// Who does it.
  package enum Maker: Hashable, Sendable {
    case libv4lconvert
    /// This package itself: the upper eight bits of each sample are what is wanted.
    case shortening
  }

  /// What the bytes are.
  enum Content: Hashable, Sendable {
    /// A sensor's mosaic; as the 8-bit format that has its colours in the same order.
    case mosaic(FourCC, SamplePacking)
    case grey(SamplePacking)
    /// Rows without a gap in one or more planes, in another order than this package reads.
    case planes([Plane])
    /// What only the library knows: so many bits a pixel.
    case opaque(bitsPerPixel: Int)
    /// What only the library knows, of any length.
    case compressed
  }

  struct Plane: Hashable, Sendable {
    /// Bits of a row for each pixel of the picture's width.
    var bitsPerColumn: Int
    /// The picture has so many rows for each of the plane's.
    var rowDivisor = 1
    /// A row is the picture's declared row divided by this.
    var strideDivisor = 1
  }

  package let fourcc: FourCC
  let content: Content
  /// RGB24, YU12 or GREY.
  package let result: FourCC

  /// Nil for a format that can be read as it is, and for one that nothing here converts.
  package init?(_ fourcc: FourCC) {
    guard let known = Self.known.first(where: { $0.fourcc == fourcc }) else { return nil }
    self = known
  }

  init(_ fourcc: FourCC, _ content: Content, to result: FourCC) {
    self.fourcc = fourcc
    self.content = content
    self.result = result
  }

  package var maker: Maker {
    if case .grey = content { .shortening } else { .libv4lconvert }
  }

  package var isGrey: Bool { result == .grey }
}

// MARK: - Sizes

extension SampleFormat {
  /// The largest picture that old webcams' own compressions are decoded for: none of those has
  /// more.
  private static let largestCompressed = FrameSize(width: 640, height: 480)

  /// Whether pictures of a size can be converted: the library counts on pairs of rows and columns.
  package func converts(_ size: FrameSize) -> Bool {
    guard (2...16384).contains(size.width), (2...16384).contains(size.height) else { return false }
    if case .grey = content { return true }
    guard size.width % 2 == 0, size.height % 2 == 0 else { return false }
    guard content == .compressed else { return true }
    return size.width <= Self.largestCompressed.width
      && size.height <= Self.largestCompressed.height
  }

  /// What a frame weighs; nil for compressed ones.
  package func byteCount(width: Int, height: Int) -> Int? {
    switch content {
    case .mosaic(_, let packing), .grey(let packing):
      packing.rowByteCount(width: width) * height
    case .planes(let planes):
      planes.reduce(0) { $0 + $1.rowByteCount(width: width) * (height / $1.rowDivisor) }
    case .opaque(let bits): width * height * bits / 8
    case .compressed: nil
    }
  }
}

extension SampleFormat.Plane {
  func rowByteCount(width: Int) -> Int { (width * bitsPerColumn + 7) / 8 }
}
