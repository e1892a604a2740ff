import Foundation

@testable import Imaging

/// Lanczos' filter in floating point, sample by sample as it is defined: slow, and nothing of the
/// code under test.
struct ReferenceScaler {
  var placement: ScalePlacement
  /// Mixes light instead of sRGB's numbers.
  var isLinear = false

  /// Blue, green, red and alpha of each target pixel, 0 to 255, not rounded.
  func pixels(of picture: PixelBuffer, weightsByAlpha: Bool = false) -> [[Double]] {
    let (width, height) = (picture.width, picture.height)
    let columns = Self.weights(
      placement.x, placement.width, placement.target.width, samples: width)
    let rows = Self.weights(
      placement.y, placement.height, placement.target.height, samples: height)
    let channels = (0..<4).map { channel in
      let samples = picture.withUnsafePlanes { planes -> [Double] in
        var samples: [Double] = []
        for y in 0..<height {
          for x in 0..<width {
            let place = y * picture.layout.planes[0].bytesPerRow + 4 * x
            let value = Double(planes[0][place + channel])
            let alpha = Double(planes[0][place + 3]) / 255
            samples.append(
              channel == 3 ? value : encoded(value) * (weightsByAlpha ? alpha : 1))
          }
        }
        return samples
      }
      return Self.filtered(samples, width, columns, rows)
    }
    return channels[0].indices.map { index in
      let alpha = channels[3][index]
      return (0..<4).map { channel in
        let value = channels[channel][index]
        if channel == 3 { return min(max(value, 0), 255) }
        return decoded(weightsByAlpha ? value * 255 / max(alpha, 1e-9) : value)
      }
    }
  }

  /// The largest distance of a channel from a picture that should show the same.
  func largestError(of scaled: PixelBuffer, from picture: PixelBuffer) -> Double {
    let expected = pixels(of: picture)
    guard expected.count == scaled.width * scaled.height else { return .infinity }
    var largest = 0.0
    for y in 0..<scaled.height {
      for x in 0..<scaled.width {
        for (value, sample) in zip(expected[y * scaled.width + x], scaled.bgra(x, y)) {
          largest = max(largest, abs(value - Double(sample)))
        }
      }
    }
    return largest
  }

  /// The peak signal-to-noise ratio of the colours, in dB.
  func psnr(of scaled: PixelBuffer, from picture: PixelBuffer) -> Double {
    let expected = pixels(of: picture)
    var sum = 0.0
    for y in 0..<scaled.height {
      for x in 0..<scaled.width {
        for (value, sample) in zip(expected[y * scaled.width + x], scaled.bgra(x, y)).prefix(3) {
          sum += (value.rounded() - Double(sample)) * (value.rounded() - Double(sample))
        }
      }
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 * 3 * Double(expected.count) / sum)
  }
}

// MARK: - The filter

extension ReferenceScaler {
  private static func lanczos(_ x: Double) -> Double {
    if abs(x) < 1e-12 { return 1 }
    return abs(x) >= 3 ? 0 : 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
  }

  private static func weights(
    _ start: Double, _ length: Double, _ count: Int, samples: Int
  ) -> [[(sample: Int, weight: Double)]] {
    let step = length / Double(count)
    return (0..<count).map { index in
      let centre = start + (Double(index) + 0.5) * step
      let raw = (0..<samples).map { lanczos((Double($0) + 0.5 - centre) / max(step, 1)) }
      let sum = raw.reduce(0, +)
      return raw.indices.filter { raw[$0] != 0 }.map { ($0, raw[$0] / sum) }
    }
  }

  private static func filtered(
    _ samples: [Double], _ width: Int, _ columns: [[(sample: Int, weight: Double)]],
    _ rows: [[(sample: Int, weight: Double)]]
  ) -> [Double] {
    rows.flatMap { row -> [Double] in
      var mixed = [Double](repeating: 0, count: width)
      for (y, weight) in row {
        for x in 0..<width { mixed[x] += weight * samples[y * width + x] }
      }
      return columns.map { $0.reduce(0) { $0 + $1.weight * mixed[$1.sample] } }
    }
  }

  // IEC 61966-2-1.
  private func encoded(_ value: Double) -> Double {
    guard isLinear else { return value }
    let part = value / 255
    return 255 * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4))
  }

  private func decoded(_ value: Double) -> Double {
    let part = min(max(value / 255, 0), 1)
    guard isLinear else { return 255 * part }
    return 255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055)
  }
}
