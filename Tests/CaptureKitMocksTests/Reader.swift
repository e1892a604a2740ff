import CaptureKitMocks
import Imaging

/// Reads single pixels as the standards say, independently of what painted or converts them.
struct Reader {
  let picture: PixelBuffer

  init(_ picture: PixelBuffer) { self.picture = picture }

  func byte(plane: Int, row: Int, offset: Int) -> UInt8 {
    picture.bytes(ofPlane: plane).unsafeLoad(
      fromByteOffset: row * picture.layout.planes[plane].bytesPerRow + offset, as: UInt8.self)
  }

  func row(_ row: Int) -> [UInt8] {
    (0..<picture.layout.planes[0].sampleBytesPerRow).map { byte(plane: 0, row: row, offset: $0) }
  }

  func color(x: Int, y: Int) throws -> RGBColor {
    switch picture.format {
    case .yuyv: return rgb(at(0, y, 2 * x), at(0, y, x / 2 * 4 + 1), at(0, y, x / 2 * 4 + 3))
    case .uyvy: return rgb(at(0, y, 2 * x + 1), at(0, y, x / 2 * 4), at(0, y, x / 2 * 4 + 2))
    case .nv12:
      return rgb(at(0, y, x), at(1, y / 2, x / 2 * 2), at(1, y / 2, x / 2 * 2 + 1))
    case .yuv420: return rgb(at(0, y, x), at(1, y / 2, x / 2), at(2, y / 2, x / 2))
    case .rgb24:
      return RGBColor(red: at(0, y, 3 * x), green: at(0, y, 3 * x + 1), blue: at(0, y, 3 * x + 2))
    case .bgr24:
      return RGBColor(red: at(0, y, 3 * x + 2), green: at(0, y, 3 * x + 1), blue: at(0, y, 3 * x))
    case .bgra32:
      return RGBColor(red: at(0, y, 4 * x + 2), green: at(0, y, 4 * x + 1), blue: at(0, y, 4 * x))
    default: throw Missing()
    }
  }

  private func at(_ plane: Int, _ row: Int, _ offset: Int) -> UInt8 {
    byte(plane: plane, row: row, offset: offset)
  }

  private func rgb(_ luma: UInt8, _ cb: UInt8, _ cr: UInt8) -> RGBColor {
    let isFull = picture.color.range == .full
    let luma = isFull ? Double(luma) : (Double(luma) - 16) * 255 / 219
    let scale = isFull ? 1 : 255.0 / 224
    let (blue, red) = ((Double(cb) - 128) * scale, (Double(cr) - 128) * scale)
    // Inverse matrices as printed in BT.601 and BT.709.
    let (r, gb, gr, b) =
      picture.color.matrix == .bt601
      ? (1.402, 0.344136, 0.714136, 1.772) : (1.5748, 0.187324, 0.468124, 1.8556)
    func sample(_ value: Double) -> UInt8 { UInt8(clamping: Int(value.rounded())) }
    return RGBColor(
      red: sample(luma + r * red), green: sample(luma - gb * blue - gr * red),
      blue: sample(luma + b * blue))
  }
}

extension RGBColor {
  func isWithin(_ tolerance: Int, of other: RGBColor) -> Bool {
    [(red, other.red), (green, other.green), (blue, other.blue)].allSatisfy {
      abs(Int($0.0) - Int($0.1)) <= tolerance
    }
  }
}
