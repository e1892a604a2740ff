import Testing

@testable import Imaging

/// Every format becomes every other one that can be made, with the colours that it had.
@Suite(.timeLimit(.minutes(1)))
struct PixelFormatConversionTests {
  private static let targets: [PixelFormat] = [
    .nv12, .yuv420, .yuyv, .uyvy, .grey, .rgb24, .bgr24, .bgra,
  ]

  @Test(arguments: Scene.rawFormats, targets)
  func keepsRampAndBars(_ format: PixelFormat, _ target: PixelFormat) throws {
    for from in ColorDescription.all {
      for scene in [Scene.greyRamp(), .bars()] {
        let pixels = try scene.pixels(format, from, gap: 6)
        for to in [nil] + ColorDescription.all.map(Optional.some) {
          let converted = try pixels.converted(to: target, color: to)
          #expect(converted.format == target)
          if let to, !target.isRGB { #expect(converted.color == to) }
          let error = Self.largestError(of: converted, scene) {
            scene.shown($0, $1, format, from)
          }
          #expect(error <= 2, "\(from) to \(String(describing: to)), \(scene.width): \(error)")
        }
      }
    }
  }

  @Test(arguments: [(Int32(1), ImagingError.Code.tooLarge), (-1, .unsupported)])
  func saysWhetherItIsMemoryThatIsMissing(_ status: Int32, _ code: ImagingError.Code) {
    let error = #expect(throws: ImagingError.self) {
      try LibYUVBridge.make(.nv12, PixelSize(width: 4, height: 4), from: PixelPool()) { _, _ in
        status
      }
    }
    #expect(error?.code == code)
  }

  @Test(arguments: Scene.rawFormats, targets)
  func keepsAGradientInEverySize(_ format: PixelFormat, _ target: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 3), (33, 17), (64, 6), (7, 2)] {
      let scene = Scene.gradient(width: width, height: height)
      let pixels = try scene.pixels(format, .bt601Limited, gap: 2)

      let shown = try pixels.converted(to: target).converted(to: .bgra)

      #expect(shown.width == width && shown.height == height)
      // Neighbours share chroma, which a steep gradient shows; grey has none.
      let error = shown.largestError { x, y in
        let color = scene.shown(x, y, format, .bt601Limited)
        return target == .grey ? Self.grey(color, .bt601) : color
      }
      #expect(error < (max(width, height) < 10 ? 120 : 20), "\(width)×\(height): \(error)")
    }
  }

  @Test(arguments: Scene.rawFormats, [PixelFormat.nv12, .yuv420, .yuyv, .uyvy, .grey])
  func givesTheSameSamplesOnEveryProcessor(_ format: PixelFormat, _ target: PixelFormat) throws {
    for (width, height) in [(133, 21), (64, 2), (5, 3)] {
      let pixels = try Scene.noise(width: width, height: height).pixels(format, gap: 3)
      for color in ColorDescription.all {
        let all = try Loops.allCases.map { loops in
          try YCbCrBridge.converted(pixels, to: target, color, from: PixelPool(), loops).rows()
        }
        #expect(all.allSatisfy { $0 == all[0] }, "\(width)×\(height), \(color)")
      }
    }
  }

  @Test func keepsWhatSamplesMeanUnlessAsked() throws {
    let full = ColorDescription(matrix: .bt709, range: .full)
    let pixels = try Scene.bars().pixels(.yuyv, full)
    #expect(try pixels.converted(to: .nv12).color == full)
    #expect(try pixels.converted(to: .grey).color == full)
    #expect(try pixels.converted(to: .yuyv, color: .jpeg).color == .jpeg)
    #expect(try pixels.converted(to: .bgra).converted(to: .yuv420).color == .bt601Limited)
    #expect(try pixels.converted(to: .bgra).converted(to: .grey).color == .jpeg)
  }

  @Test func givesAJPEGsColoursToo() throws {
    for scene in [Scene.greyRamp(), .bars()] {
      let jpeg = try JPEGEncoder(quality: 1).encode(scene.pixels(.bgra))
      let pixels = try Image(jpeg).pixelBuffer()
      for target in Self.targets {
        let converted = try pixels.converted(to: target)
        let error = Self.largestError(of: converted, scene) { scene.shown($0, $1, .bgra, .jpeg) }
        #expect(error <= 2, "\(target), \(scene.width): \(error)")
      }
    }
  }
}

// MARK: - The reference

extension PixelFormatConversionTests {
  private static func grey(_ color: Scene.Color, _ matrix: ColorDescription.Matrix) -> Scene.Color {
    let weights = matrix.lumaWeights
    let luma =
      weights.red * color.red + (1 - weights.red - weights.blue) * color.green
      + weights.blue * color.blue
    return Scene.Color(red: luma, green: luma, blue: luma)
  }

  /// The largest distance of any sample from the exact one of the colour that it has to stand for.
  private static func largestError(
    of pixels: PixelBuffer, _ scene: Scene, to expected: (_ x: Int, _ y: Int) -> Scene.Color
  ) -> Double {
    var largest = 0.0
    let columns = scene.columnsWithinBars.filter { $0 % 2 == 0 || scene.width != 128 }
    // All rows of these scenes are alike: neighbours that share chroma, and the outermost ones.
    let middle = pixels.height / 2
    for y in Set([0, 1, middle, middle + 1, pixels.height - 1]) where y < pixels.height {
      for x in columns {
        let color = expected(x, y)
        let exact = Scene(width: 1, height: 1) { _, _ in color }
        let samples =
          pixels.format.isRGB
          ? (color.red, color.green, color.blue) : exact.samples(0, 0, pixels.color)
        guard let own = pixels.sample(x: x, y: y) else { return .infinity }
        largest = max(largest, abs(Double(own.0) - samples.0))
        guard pixels.format != .grey else { continue }
        largest = max(
          largest, abs(Double(own.1) - samples.1), abs(Double(own.2) - samples.2))
      }
    }
    return largest
  }
}
