import Foundation

@testable import Imaging

/// Portable pixmaps, the format in which other programs show pixels.
extension PixelBuffer {
  /// The colours as a PPM file (P6).
  func ppm() -> Data {
    var file = Data("P6 \(width) \(height) 255\n".utf8)
    withUnsafePlanes { planes in
      for y in 0..<height {
        let row = y * layout.planes[0].bytesPerRow
        for x in 0..<width {
          let place = row + 4 * x
          file.append(contentsOf: [planes[0][place + 2], planes[0][place + 1], planes[0][place]])
        }
      }
    }
    return file
  }

  /// Reads a binary PPM or PGM file of 8 bits as programs of libjpeg write it.
  init(ppm file: Data) throws {
    let bytes = Array(file)
    var fields: [String] = []
    var offset = 0
    while fields.count < 4, offset < bytes.count {
      let end = try require(bytes[offset...].firstIndex { $0 == 0x20 || $0 == 0x0A })
      fields.append(String(decoding: bytes[offset..<end], as: UTF8.self))
      offset = end + 1
    }
    let width = try require(Int(fields[1]))
    let height = try require(Int(fields[2]))
    let channels = fields[0] == "P6" ? 3 : 1
    guard bytes.count - offset == width * height * channels else { throw MissingValue() }
    var samples = [UInt8](repeating: 255, count: width * height * 4)
    for pixel in 0..<width * height {
      for channel in 0..<3 {
        samples[4 * pixel + 2 - channel] =
          bytes[offset + pixel * channels + min(channel, channels - 1)]
      }
    }
    self = try require(
      PixelLayout(format: .bgra32, width: width, height: height).flatMap {
        PixelBuffer(layout: $0, bytes: samples)
      })
  }

  /// The largest difference of a sample from another BGRA picture; 256 where the sizes differ.
  func largestDifference(from other: PixelBuffer) -> Int {
    guard width == other.width, height == other.height else { return 256 }
    return withUnsafePlanes { own in
      other.withUnsafePlanes { others in
        if own[0].elementsEqual(others[0]) { return 0 }
        return zip(own[0], others[0]).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      }
    }
  }
}
