import Foundation

@testable import Imaging

#if HEIF
  /// Files that libheif makes of scenes.
  enum HEIFBytes {
    /// The formats that it has encoders for on this machine.
    static let formats: [ImageFormat] = [.heic, .avif].filter {
      LibHEIFEncodingBridge.hasEncoder(for: $0)
    }

    static func codedSize(of data: Data) -> PixelSize? {
      HEIFCodedSizes.largest(in: data.bytes)
    }

    static func encoded(
      _ scene: Scene, _ format: ImageFormat, _ color: ColorDescription = .jpeg,
      quality: Double = 1, metadata: ImageMetadata = ImageMetadata()
    ) throws -> Data {
      try HEIFEncoder(quality: quality).encode(
        scene.pixels(.yuv420, color, gap: 4), as: format, metadata)
    }
  }

  extension PixelBuffer {
    func meanError(
      inColumns columns: [Int]? = nil, to expected: (_ x: Int, _ y: Int) -> Scene.Color
    ) -> Double {
      var sum = 0.0
      let columns = columns ?? Array(0..<width)
      for y in 0..<height {
        for x in columns {
          let (pixel, color) = (bgra(x, y).map(Double.init), expected(x, y))
          sum += abs(pixel[0] - color.blue) + abs(pixel[1] - color.green)
          sum += abs(pixel[2] - color.red)
        }
      }
      return sum / Double(3 * height * columns.count)
    }
  }
#endif
