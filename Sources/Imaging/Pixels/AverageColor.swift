import CPixels

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
    guard let color = LibJPEGAverageBridge.averageColor(of: bytes) else { return nil }
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
      let matrix =
        pixels.format.isRGB
        ? ck_colour_from_rgb(ck_colour_jpeg)
        : ck_colour_between(ck_colour_meaning(pixels.color), ck_colour_jpeg)
      let (gain, offset) = (matrix.gain, matrix.offset)
      return AverageColor(
        luma: mixed(gain.0) + offset.0, blueDifference: mixed(gain.1) + offset.1 - 128,
        redDifference: mixed(gain.2) + offset.2 - 128)
    }

    private func mixed(_ gain: (Double, Double, Double)) -> Double {
      let sum =
        Double(values.0) * gain.0 + Double(values.1) * gain.1 + Double(values.2) * gain.2
      return sum / Double(count)
    }
  }
}

extension PixelBuffer {
  /// Luma and chroma, or red, green and blue, of one pixel.
  func sample(x: Int, y: Int) -> (Int, Int, Int)? {
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
