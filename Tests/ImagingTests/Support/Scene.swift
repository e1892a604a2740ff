import Foundation

@testable import Imaging

/// A picture by its colours, and the same as raw samples of any format.
///
/// The arithmetic is that of ITU-R BT.601, BT.709 and BT.2020 in floating point, so that it shares
/// nothing with the code under test.
struct Scene {
  struct Color: Hashable {
    var red: Double
    var green: Double
    var blue: Double
  }

  var width: Int
  var height: Int
  var color: @Sendable (_ x: Int, _ y: Int) -> Color

  /// A ramp from black to white, a step for every second column.
  static func greyRamp(width: Int = 64, height: Int = 16) -> Scene {
    Scene(width: width, height: height) { x, _ in
      let level = (Double(x / 2) * 255 / Double(max(1, (width - 1) / 2))).rounded()
      return Color(red: level, green: level, blue: level)
    }
  }

  /// The eight colour bars at three quarters of their strength, 16 columns each.
  static func bars(height: Int = 32) -> Scene {
    Scene(width: 128, height: height) { x, _ in
      let bar = 7 - x / 16
      return Color(
        red: bar & 2 != 0 ? 191 : 0, green: bar & 4 != 0 ? 191 : 0, blue: bar & 1 != 0 ? 191 : 0)
    }
  }

  /// The columns of a ramp, or those of bars that no filter mixes with their neighbours.
  var columnsWithinBars: [Int] {
    (0..<width).filter { width != 128 || (2..<14).contains($0 % 16) }
  }

  /// Smooth in all directions, and no two corners alike.
  static func gradient(width: Int, height: Int) -> Scene {
    Scene(width: width, height: height) { x, y in
      Color(
        red: 40 + 150 * Double(x) / Double(width), green: 60 + 120 * Double(y) / Double(height),
        blue: 200 - 80 * Double(x + y) / Double(width + height))
    }
  }

  /// No two neighbours alike.
  static func noise(width: Int, height: Int) -> Scene {
    Scene(width: width, height: height) { x, y in
      let mixed = (x &* 7919 ^ y &* 104_729) &* 2_654_435_761
      return Color(
        red: Double(mixed & 255), green: Double(mixed >> 8 & 255), blue: Double(mixed >> 16 & 255))
    }
  }
}

// MARK: - Samples

extension Scene {
  static let rawFormats: [PixelFormat] = [
    .yuyv, .uyvy, .nv12, .nv12Multiplanar, .yuv420, .yuv420Multiplanar, .grey, .rgb24, .bgr24,
    .bgra32,
  ]

  /// Luma and both chroma samples, 0 to 255.
  func samples(_ x: Int, _ y: Int, _ description: ColorDescription) -> (Double, Double, Double) {
    let color = color(min(x, width - 1), min(y, height - 1))
    let weights = Self.weights(description.matrix)
    let luma =
      weights.red * color.red + (1 - weights.red - weights.blue) * color.green
      + weights.blue * color.blue
    let cb = (color.blue - luma) / (2 * (1 - weights.blue))
    let cr = (color.red - luma) / (2 * (1 - weights.red))
    switch description.range {
    case .full: return (luma, cb + 128, cr + 128)
    case .limited: return (16 + luma * 219 / 255, cb * 224 / 255 + 128, cr * 224 / 255 + 128)
    }
  }

  /// The colour that rounded samples stand for.
  static func color(
    _ samples: (Double, Double, Double), _ description: ColorDescription
  ) -> Color {
    let weights = weights(description.matrix)
    let isFull = description.range == .full
    let luma = isFull ? samples.0 : (samples.0 - 16) * 255 / 219
    let cb = isFull ? samples.1 - 128 : (samples.1 - 128) * 255 / 224
    let cr = isFull ? samples.2 - 128 : (samples.2 - 128) * 255 / 224
    let red = luma + 2 * (1 - weights.red) * cr
    let blue = luma + 2 * (1 - weights.blue) * cb
    let green =
      (luma - weights.red * red - weights.blue * blue) / (1 - weights.red - weights.blue)
    func clamped(_ value: Double) -> Double { min(max(value, 0), 255) }
    return Color(red: clamped(red), green: clamped(green), blue: clamped(blue))
  }

  private static func weights(
    _ matrix: ColorDescription.Matrix
  ) -> (red: Double, blue: Double) {
    switch matrix {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    }
  }

  /// The scene as a camera would send it. Bytes between the rows are 0xA5.
  func pixels(
    _ format: PixelFormat, _ description: ColorDescription = .jpeg, gap: Int = 0
  ) throws -> PixelBuffer {
    let tight = try require(PixelLayout(format: format, width: width, height: height))
    // Rows of the block follow those of its luma, which have to leave room for the chroma.
    let isSharedBlock = tight.planes.count > tight.blockCount
    let rows = (0..<tight.blockCount).compactMap { block in
      tight.planes.first { $0.block == block }.map { plane in
        max(plane.bytesPerRow, isSharedBlock ? (width + 1) / 2 * 2 : 0) + gap
      }
    }
    let layout = try require(
      PixelLayout(format: format, width: width, height: height, bytesPerRow: rows))
    var blocks = (0..<layout.blockCount).map {
      [UInt8](repeating: 0xA5, count: layout.byteCount(ofBlock: $0))
    }
    for (index, plane) in layout.planes.enumerated() {
      for row in 0..<plane.rowCount {
        for column in 0..<plane.sampleBytesPerRow {
          blocks[plane.block][plane.offset + row * plane.bytesPerRow + column] =
            byte(format, description, plane: index, row: row, column: column)
        }
      }
    }
    return try require(
      PixelBuffer(layout: layout, color: description, blocks: blocks.map(SharedBytes.init)))
  }

  private func byte(
    _ format: PixelFormat, _ description: ColorDescription, plane: Int, row: Int, column: Int
  ) -> UInt8 {
    func luma(_ x: Int, _ y: Int) -> Double { samples(x, y, description).0 }
    // Chroma stands for the left and upper of the pixels that share it.
    func chroma(_ x: Int, _ y: Int, isRed: Bool) -> Double {
      let samples = samples(x, y, description)
      return isRed ? samples.2 : samples.1
    }
    let value: Double
    switch format {
    case .yuyv, .uyvy:
      let isLuma = (column & 1 == 0) == (format == .yuyv)
      value =
        isLuma
        ? luma(column / 2, row)
        : chroma(column / 4 * 2, row, isRed: column & 2 != 0)
    case .grey: value = luma(column, row)
    case .rgb24, .bgr24, .bgra32:
      let channels = format == .bgra32 ? 4 : 3
      let color = color(column / channels, row)
      let channel = format == .rgb24 ? 2 - column % channels : column % channels
      value = [color.blue, color.green, color.red, 255][channel]
    default:
      if plane == 0 {
        value = luma(column, row)
      } else if format == .nv12 || format == .nv12Multiplanar {
        value = chroma(column / 2 * 2, row * 2, isRed: column & 1 == 1)
      } else {
        value = chroma(column * 2, row * 2, isRed: plane == 2)
      }
    }
    return UInt8(min(max(value.rounded(), 0), 255))
  }

  /// What a viewer has to see of `pixels(_:_:)`: the colours that the rounded samples stand for.
  func shown(_ x: Int, _ y: Int, _ format: PixelFormat, _ description: ColorDescription) -> Color {
    let own = samples(x, y, description)
    switch format {
    case .rgb24, .bgr24, .bgra32:
      let color = color(x, y)
      return Color(
        red: color.red.rounded(), green: color.green.rounded(), blue: color.blue.rounded())
    case .grey: return Self.color((own.0.rounded(), 128, 128), description)
    default:
      let isQuartered = format != .yuyv && format != .uyvy
      let shared = samples(x / 2 * 2, isQuartered ? y / 2 * 2 : y, description)
      return Self.color((own.0.rounded(), shared.1.rounded(), shared.2.rounded()), description)
    }
  }
}

extension ColorDescription {
  /// Every matrix with every range.
  static let all: [ColorDescription] = [Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
    [Range.limited, .full].map { ColorDescription(matrix: matrix, range: $0) }
  }
}

struct MissingValue: Error {}

/// As the testing library's `#require`, for code outside of tests.
func require<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw MissingValue() }
  return value
}
