/// The mean of a picture's samples, in JPEG's terms: BT.601, full range.
package struct AverageColor: Hashable, Sendable {
  /// 0, black, to 255, white.
  package var luma: Double
  /// −128 to 127; above 0 where blue prevails.
  package var blueDifference: Double
  /// −128 to 127; above 0 where red prevails.
  package var redDifference: Double

  package init(luma: Double, blueDifference: Double = 0, redDifference: Double = 0) {
    self.luma = luma
    self.blueDifference = blueDifference
    self.redDifference = redDifference
  }

  /// The mean of several; black for none.
  package init(averaging colors: some Collection<AverageColor>) {
    let count = Double(max(1, colors.count))
    self.init(
      luma: colors.reduce(0) { $0 + $1.luma } / count,
      blueDifference: colors.reduce(0) { $0 + $1.blueDifference } / count,
      redDifference: colors.reduce(0) { $0 + $1.redDifference } / count)
  }

  /// The mean of a JPEG picture, from its blocks' means; nil where it is damaged.
  package init?(ofJPEG bytes: RawSpan) {
    guard let color = LibJPEGSmallBridge.averageColor(of: bytes) else { return nil }
    self = color
  }

  /// The mean of uncompressed samples, of a grid of at most 64 by 64 pixels.
  package init?(of pixels: PixelBuffer) {
    var sum = Sum()
    let across = max(1, pixels.width / 64)
    let down = max(1, pixels.height / 64)
    for y in stride(from: down / 2, to: pixels.height, by: down) {
      for x in stride(from: across / 2, to: pixels.width, by: across) {
        guard let sample = pixels.sample(x: x, y: y) else { return nil }
        sum.add(sample)
      }
    }
    guard sum.count > 0 else { return nil }
    self = sum.mean(of: pixels)
  }

  private struct Sum {
    var values = (0, 0, 0)
    var count = 0

    mutating func add(_ sample: (Int, Int, Int)) {
      values.0 += sample.0
      values.1 += sample.1
      values.2 += sample.2
      count += 1
    }

    func mean(of pixels: PixelBuffer) -> AverageColor {
      let (a, b, c) = (
        Double(values.0) / Double(count), Double(values.1) / Double(count),
        Double(values.2) / Double(count)
      )
      if pixels.isRGB {
        let luma = 0.299 * a + 0.587 * b + 0.114 * c
        return AverageColor(
          luma: luma, blueDifference: (c - luma) * 0.564, redDifference: (a - luma) * 0.713)
      }
      guard pixels.color.range == .limited else {
        return AverageColor(luma: a, blueDifference: b - 128, redDifference: c - 128)
      }
      return AverageColor(
        luma: (a - 16) * 255 / 219, blueDifference: (b - 128) * 255 / 224,
        redDifference: (c - 128) * 255 / 224)
    }
  }
}

extension PixelBuffer {
  fileprivate var isRGB: Bool { format == .rgb24 || format == .bgr24 || format == .bgra32 }

  /// Luma and chroma, or red, green and blue, of one pixel.
  fileprivate func sample(x: Int, y: Int) -> (Int, Int, Int)? {
    let pair = x / 2 * 4
    switch format {
    case .yuyv: return samples((0, y, pair + x % 2 * 2), (0, y, pair + 1), (0, y, pair + 3))
    case .uyvy: return samples((0, y, pair + 1 + x % 2 * 2), (0, y, pair), (0, y, pair + 2))
    case .nv12, .nv12Multiplanar:
      return samples((0, y, x), (1, y / 2, x / 2 * 2), (1, y / 2, x / 2 * 2 + 1))
    case .yuv420, .yuv420Multiplanar:
      return samples((0, y, x), (1, y / 2, x / 2), (2, y / 2, x / 2))
    case .grey: return sample((0, y, x)).map { ($0, 128, 128) }
    case .rgb24: return samples((0, y, 3 * x), (0, y, 3 * x + 1), (0, y, 3 * x + 2))
    case .bgr24: return samples((0, y, 3 * x + 2), (0, y, 3 * x + 1), (0, y, 3 * x))
    case .bgra32: return samples((0, y, 4 * x + 2), (0, y, 4 * x + 1), (0, y, 4 * x))
    default: return nil
    }
  }

  private typealias Place = (plane: Int, row: Int, offset: Int)

  private func samples(_ a: Place, _ b: Place, _ c: Place) -> (Int, Int, Int)? {
    guard let a = sample(a), let b = sample(b), let c = sample(c) else { return nil }
    return (a, b, c)
  }

  private func sample(_ place: Place) -> Int? {
    let offset = place.row * layout.planes[place.plane].bytesPerRow + place.offset
    return bytes(ofPlane: place.plane).byte(at: offset).map(Int.init)
  }
}
