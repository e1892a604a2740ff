import Foundation

@testable import Imaging

extension PixelBuffer {
  /// Blue, green, red and alpha of a BGRA picture's pixel.
  func bgra(_ x: Int, _ y: Int) -> [UInt8] {
    withUnsafePlanes { planes in
      let place = y * layout.planes[0].bytesPerRow + x * 4
      return Array(planes[0][place..<place + 4])
    }
  }

  /// The largest distance of any channel from what a viewer has to see.
  func largestError(
    inColumns columns: [Int]? = nil, to expected: (_ x: Int, _ y: Int) -> Scene.Color
  ) -> Double {
    withUnsafePlanes { planes in
      var largest = 0.0
      for y in 0..<height {
        for x in columns ?? Array(0..<width) {
          let place = y * layout.planes[0].bytesPerRow + x * 4
          let color = expected(x, y)
          largest = max(
            largest, abs(Double(planes[0][place]) - color.blue),
            abs(Double(planes[0][place + 1]) - color.green),
            abs(Double(planes[0][place + 2]) - color.red))
        }
      }
      return largest
    }
  }

  /// The mean distance of the channels from another BGRA picture of the same size, at no more than
  /// some thousand bytes.
  func meanError(to other: PixelBuffer) -> Double {
    guard width == other.width, height == other.height else { return .infinity }
    return withUnsafePlanes { own in
      other.withUnsafePlanes { others in
        let count = min(own[0].count, others[0].count)
        let places = stride(from: 0, to: count, by: max(1, count / 4001))
        let sum = places.reduce(0) { $0 + abs(Int(own[0][$1]) - Int(others[0][$1])) }
        return Double(sum) / Double(max(1, count / max(1, count / 4001)))
      }
    }
  }

  /// The means of the green of a BGRA picture's 12 × 12 parts.
  func parts() -> [Double] {
    withUnsafePlanes { planes in
      (0..<144).map { part in
        let columns = part % 12 * width / 12..<(part % 12 + 1) * width / 12
        let rows = part / 12 * height / 12..<(part / 12 + 1) * height / 12
        var (sum, count) = (0, 0)
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 4) {
          for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 4) {
            sum += Int(planes[0][y * layout.planes[0].bytesPerRow + 4 * x + 1])
            count += 1
          }
        }
        return Double(sum) / Double(max(1, count))
      }
    }
  }
}

extension PixelBuffer {
  /// The samples of all rows of all planes, as bytes.
  func rows() throws -> [[UInt8]] {
    layout.planes.enumerated().flatMap { index, plane in
      (0..<plane.rowCount).map { row in
        bytes(ofPlane: index, row: row).withUnsafeBytes { Array($0) }
      }
    }
  }
}
