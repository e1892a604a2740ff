import CBaselines
import Foundation

/// Four photographs as one large picture, with the noise of a sensor: those of Debian's `mate-backgrounds`.
struct Photographs: Sendable {
  let width: Int
  let height: Int
  /// Red, green, blue, row by row.
  let rgb: [UInt8]

  private static let folder = "/usr/share/backgrounds/mate/nature"

  /// Each photograph fills a quarter, what stands out cut off evenly.
  ///
  /// - Throws: `Unavailable` where the package is not installed.
  init(width: Int = 4000, height: Int = 3000) throws {
    self.width = width
    self.height = height
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    for (index, name) in ["Dune", "LadyBird", "RainDrops", "Storm"].enumerated() {
      let quarter = try Self.filled(name, width / 2, height / 2)
      let corner = (index / 2 * (height / 2) * width + index % 2 * (width / 2)) * 3
      for y in 0..<height / 2 {
        let row = y * (width / 2) * 3
        for x in 0..<width / 2 * 3 { pixels[corner + y * width * 3 + x] = quarter[row + x] }
      }
    }
    var noise = Noise()
    for pixel in 0..<width * height {
      let grain = noise.next() * 1.5
      for at in pixel * 3..<pixel * 3 + 3 {
        pixels[at] = UInt8(max(0, min(255, (Float(pixels[at]) + grain).rounded())))
      }
    }
    rgb = pixels
  }

  private init(width: Int, height: Int, rgb: [UInt8]) {
    (self.width, self.height, self.rgb) = (width, height, rgb)
  }

  /// The picture several times in each direction.
  func tiled(_ times: Int) -> Photographs {
    var tiled: [UInt8] = []
    tiled.reserveCapacity(rgb.count * times * times)
    for row in 0..<height * times {
      let start = row % height * width * 3
      for _ in 0..<times { tiled += rgb[start..<start + width * 3] }
    }
    return Photographs(width: width * times, height: height * times, rgb: tiled)
  }

  /// A 4:2:0 JPEG.
  func jpeg(quality: Int = 92, isProgressive: Bool = false) throws -> Data {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = cb_rgb_to_jpeg(
      rgb, Int32(width), Int32(height), Int32(quality), isProgressive ? 1 : 0, &bytes)
    defer { cb_jpeg_free(bytes) }
    guard count > 0, let bytes else { throw BenchmarkFailure(description: "TurboJPEG has failed") }
    return Data(bytes: bytes, count: count)
  }

  /// What the picture should look like at another size: Lanczos' filter in floating point, of the pixels before
  /// they were encoded; red, green, blue, not rounded.
  func reference(width: Int, height: Int, isLinear: Bool) throws -> [Float] {
    try Self.scaled(
      rgb, self.width, self.height, x: 0, y: 0, Double(self.width), Double(self.height), width,
      height, isLinear: isLinear)
  }

  // MARK: - Photographs

  private static func filled(_ name: String, _ width: Int, _ height: Int) throws -> [UInt8] {
    let path = "\(folder)/\(name).jpg"
    guard let data = try? [UInt8](Data(contentsOf: URL(filePath: path))) else {
      throw Unavailable(description: "\(path) is missing; install mate-backgrounds")
    }
    var (fullWidth, fullHeight): (Int32, Int32) = (0, 0)
    guard cb_jpeg_size(data, data.count, &fullWidth, &fullHeight) != 0 else {
      throw BenchmarkFailure(description: "\(path) is no JPEG")
    }
    var rgb = [UInt8](repeating: 0, count: Int(fullWidth) * Int(fullHeight) * 3)
    guard cb_jpeg_to_rgb(data, data.count, &rgb, fullWidth, fullHeight) == 0 else {
      throw BenchmarkFailure(description: "\(path) cannot be decoded")
    }
    let scale = max(Double(width) / Double(fullWidth), Double(height) / Double(fullHeight))
    let part = (width: Double(width) / scale, height: Double(height) / scale)
    let scaled = try Self.scaled(
      rgb, Int(fullWidth), Int(fullHeight), x: (Double(fullWidth) - part.width) / 2,
      y: (Double(fullHeight) - part.height) / 2, part.width, part.height, width, height,
      isLinear: false)
    return scaled.map { UInt8($0.rounded()) }
  }

  private static func scaled(
    _ rgb: [UInt8], _ pictureWidth: Int, _ pictureHeight: Int, x: Double, y: Double,
    _ partWidth: Double, _ partHeight: Double, _ width: Int, _ height: Int, isLinear: Bool
  ) throws -> [Float] {
    var scaled = [Float](repeating: 0, count: width * height * 3)
    let status = rgb.withUnsafeBufferPointer { rgb in
      cb_lanczos(
        cb_part(
          rgb: rgb.baseAddress, picture_width: Int32(pictureWidth),
          picture_height: Int32(pictureHeight), x: x, y: y, width: partWidth, height: partHeight),
        Int32(width), Int32(height), isLinear ? 1 : 0, &scaled)
    }
    guard status == 0 else { throw BenchmarkFailure(description: "there is no memory") }
    return scaled
  }
}
