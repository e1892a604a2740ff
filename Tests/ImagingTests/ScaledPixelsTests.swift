import Foundation
import Testing

@testable import Imaging

/// Pixels at another size, held against the filter in floating point.
@Suite(.timeLimit(.minutes(1)))
struct ScaledPixelsTests {
  /// Noise with edges: the hardest that there is for a filter.
  static func rough(_ width: Int, _ height: Int) -> Scene {
    Scene(width: width, height: height) { x, y in
      let noise = (x &* 7919 &+ y &* 104_729 &+ x &* y &* 31) & 255
      let edge = x > width / 2 ? 255 : 0
      return Scene.Color(red: Double(noise), green: Double(edge), blue: Double(255 - noise / 2))
    }
  }

  private static func scaled(
    _ pixels: PixelBuffer, _ placement: ScalePlacement, isLinear: Bool = false,
    _ loops: Loops = .best, quality: Image.ScalingQuality = .best
  ) throws -> PixelBuffer {
    try PixelScaleBridge.scaled(
      pixels, placement, ScaleOptions(quality: quality, isLinear: isLinear, loops: loops))
  }

  private static let sizes = [
    (1, 1, 1, 1), (1, 1, 7, 5), (33, 17, 33, 17), (33, 17, 11, 9), (40, 30, 13, 30),
    (31, 47, 77, 101), (64, 64, 17, 15), (19, 23, 1, 1), (70, 50, 50, 70),
  ]

  @Test(arguments: sizes)
  func isWhatTheFilterSays(width: Int, height: Int, newWidth: Int, newHeight: Int) throws {
    let pixels = try Self.rough(width, height).pixels(.bgra32)
    let placement = ScalePlacement(
      whole: pixels.size, at: PixelSize(width: newWidth, height: newHeight))
    // So much smaller, neighbours are averaged first: that is another filter.
    guard width < 5 * newWidth, height < 5 * newHeight else { return }

    let error = ReferenceScaler(placement: placement).largestError(
      of: try Self.scaled(pixels, placement), from: pixels)

    #expect(error < 0.6)
  }

  @Test func mixesLight() throws {
    let pixels = try Self.rough(60, 48).pixels(.bgra32)
    let placement = ScalePlacement(whole: pixels.size, at: PixelSize(width: 23, height: 17))

    let scaled = try Self.scaled(pixels, placement, isLinear: true)

    let light = ReferenceScaler(placement: placement, isLinear: true)
    #expect(light.psnr(of: scaled, from: pixels) > 55)
    #expect(ReferenceScaler(placement: placement).psnr(of: scaled, from: pixels) < 35)
  }

  @Test func takesAPart() throws {
    let pixels = try Self.rough(50, 40).pixels(.bgra32)
    var placement = ScalePlacement(whole: pixels.size, at: PixelSize(width: 20, height: 16))
    (placement.x, placement.y, placement.width, placement.height) = (11.5, 3.25, 30, 24)

    let error = ReferenceScaler(placement: placement).largestError(
      of: try Self.scaled(pixels, placement), from: pixels)

    #expect(error < 0.6)
  }

  @Test func weightsColoursByAlpha() throws {
    let layout = try require(PixelLayout(format: .bgra32, width: 40, height: 30))
    let bytes = (0..<40 * 30).flatMap { index -> [UInt8] in
      let isClear = (index / 3) % 3 == 0
      return isClear ? [255, 0, 255, 0] : [20, UInt8(index & 127), 60, UInt8(128 + index & 127)]
    }
    let pixels = try require(PixelBuffer(layout: layout, bytes: bytes))
    let placement = ScalePlacement(whole: pixels.size, at: PixelSize(width: 17, height: 13))

    let scaled = try Self.scaled(pixels, placement)

    // What is not seen has no colour to give: green and magenta stay apart.
    let expected = ReferenceScaler(placement: placement).pixels(of: pixels, weightsByAlpha: true)
    for y in 0..<13 {
      for x in 0..<17 {
        let (pixel, right) = (scaled.bgra(x, y), expected[y * 17 + x])
        #expect(abs(Double(pixel[3]) - right[3]) < 1)
        guard right[3] > 64 else { continue }
        for channel in 0..<3 { #expect(abs(Double(pixel[channel]) - right[channel]) < 1.5) }
      }
    }
  }

  @Test(arguments: [false, true])
  func keepsFlatColoursFlat(isLinear: Bool) throws {
    for level in 0...255 {
      let scene = Scene(width: 37, height: 41) { _, _ in
        Scene.Color(red: Double(level), green: Double(255 - level), blue: Double(level / 2))
      }
      let pixels = try scene.pixels(.bgra32)
      for (width, height) in [(1, 1), (3, 2), (19, 40), (53, 44)] {
        let placement = ScalePlacement(
          whole: pixels.size, at: PixelSize(width: width, height: height))
        let scaled = try Self.scaled(pixels, placement, isLinear: isLinear)
        #expect(scaled.largestError { _, _ in scene.color(0, 0) } < 1)
      }
    }
  }

  @Test(arguments: sizes + [(301, 207, 31, 21), (1000, 3, 7, 3), (517, 400, 90, 80)])
  func isTheSameByAllLoops(width: Int, height: Int, newWidth: Int, newHeight: Int) throws {
    let pixels = try Self.rough(width, height).pixels(.bgra32)
    let placement = ScalePlacement(
      whole: pixels.size, at: PixelSize(width: newWidth, height: newHeight))
    for (isLinear, quality) in [(false, Image.ScalingQuality.best), (true, .best), (false, .fast)] {
      let all = try Loops.allCases.map { loops in
        let scaled = try Self.scaled(pixels, placement, isLinear: isLinear, loops, quality: quality)
        return scaled.withUnsafePlanes { Array($0[0]) }
      }
      #expect(all.allSatisfy { $0 == all[0] })
    }
  }

  @Test func averagesFirstWhereMuchIsToGo() throws {
    let pixels = try Scene.gradient(width: 400, height: 300).pixels(.bgra32)
    let placement = ScalePlacement(whole: pixels.size, at: PixelSize(width: 20, height: 15))

    for quality in Image.ScalingQuality.allCases {
      let scaled = try Self.scaled(pixels, placement, quality: quality)
      #expect(ReferenceScaler(placement: placement).largestError(of: scaled, from: pixels) < 1.5)
    }
  }
}
