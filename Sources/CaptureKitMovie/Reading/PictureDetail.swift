import Imaging

/// How much there is to see in a picture, by its brightness at a grid of places.
struct PictureDetail: Hashable, Sendable {
  /// The mean, 0 to 255.
  let mean: Double
  /// How far places are from the mean, as the root of the mean square.
  let deviation: Double

  private static let side = 48

  /// Whether the picture is of one colour, as movies that fade in are at first, or so dark that
  /// hardly anything is seen.
  var isBlank: Bool { deviation < 6 || mean < 28 && deviation < 12 }

  /// Looks at 48 by 48 places at most.
  init(of pixels: PixelBuffer) {
    let (stride, offset) = Self.place(of: pixels.format)
    let rows = pixels.bytes(ofPlane: 0)
    let bytesPerRow = pixels.layout.planes[0].bytesPerRow
    let (across, down) = (max(1, pixels.width / Self.side), max(1, pixels.height / Self.side))
    var (count, sum, squares) = (0.0, 0.0, 0.0)
    for y in Swift.stride(from: down / 2, to: pixels.height, by: down) {
      for x in Swift.stride(from: across / 2, to: pixels.width, by: across) {
        let value = Double(rows.byte(at: y * bytesPerRow + x * stride + offset) ?? 0)
        count += 1
        sum += value
        squares += value * value
      }
    }
    mean = sum / max(1, count)
    deviation = max(0, squares / max(1, count) - mean * mean).squareRoot()
  }

  /// Bytes from pixel to pixel, and to the one that says most of its brightness: luma, or green.
  private static func place(of format: PixelFormat) -> (stride: Int, offset: Int) {
    switch format {
    case .yuyv: (2, 0)
    case .uyvy: (2, 1)
    case .rgb24, .bgr24: (3, 1)
    case .bgra32: (4, 1)
    default: (1, 0)
    }
  }
}
