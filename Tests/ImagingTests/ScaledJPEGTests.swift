import Foundation
import Testing

@testable import Imaging

/// JPEG pictures at another size, decoded only as finely as they are needed.
@Suite(.timeLimit(.minutes(1)))
struct ScaledJPEGTests {
  private static func scaled(
    _ jpeg: Data, _ placement: ScalePlacement, _ options: ScaleOptions
  ) throws -> PixelBuffer {
    try JPEGScaler.scaled(jpeg.bytes, placement, options, limits: .standard)
  }

  /// As steep at every size, so that chroma of several pixels is never far from each one's.
  private static func slope(_ width: Int, _ height: Int) -> Scene {
    Scene(width: width, height: height) { x, y in
      Scene.Color(
        red: 40 + 3 * Double(x), green: 60 + 3 * Double(y), blue: 220 - 2 * Double(x + y))
    }
  }

  private static let best = ScaleOptions(quality: .best, isLinear: false)

  @Test(arguments: SubsampledJPEG.allCases)
  func keepsFlatColoursFlatAtEverySize(_ kind: SubsampledJPEG) throws {
    for width in 1...33 {
      for height in 1...33 {
        let scene = Scene(width: width, height: height) { _, _ in
          Scene.Color(red: 200, green: 90, blue: 40)
        }
        let jpeg = try kind.data(scene)
        let pixel = try Image(jpeg).pixelBuffer().bgra(0, 0)
        let color = Scene.Color(
          red: Double(pixel[2]), green: Double(pixel[1]), blue: Double(pixel[0]))
        let placement = try ScalePlacement(
          of: PixelSize(width: width, height: height), longestSide: (max(width, height) + 1) / 2)

        let small = try Self.scaled(jpeg, placement, Self.best)

        #expect(small.largestError { _, _ in color } == 0, "\(kind.rawValue), \(width)×\(height)")
      }
    }
  }

  @Test(arguments: [0, 120, 255])
  func keepsFlatColoursFlatInLight(difference: Int) throws {
    for level in 0...255 {
      let red = abs(level - difference)
      let scene = Scene(width: 24, height: 16) { _, _ in
        Scene.Color(red: Double(red), green: Double(level), blue: Double((red + level) / 2))
      }
      let jpeg = try SubsampledJPEG.full.data(scene, quality: 100)
      let placement = ScalePlacement(
        whole: PixelSize(width: 24, height: 16), at: PixelSize(width: 7, height: 5))

      let small = try Self.scaled(jpeg, placement, ScaleOptions(quality: .best, isLinear: true))

      // Grey has no chroma to be rounded differently.
      let bound = difference == 0 ? 0 : 1
      let pixel = try Image(jpeg).pixelBuffer().bgra(0, 0)
      let distances = zip(small.bgra(3, 3), pixel).map { abs(Int($0) - Int($1)) }
      #expect(distances.allSatisfy { $0 <= bound }, "\(level): \(distances)")
    }
  }

  @Test(arguments: SubsampledJPEG.allCases)
  func showsThePictureAtEverySize(_ kind: SubsampledJPEG) throws {
    for side in 1...33 {
      for (width, height) in [(side, side), (side, 34 - side), (33, side)] {
        let jpeg = try kind.data(Self.slope(width, height))
        let whole = try Image(jpeg).pixelBuffer()
        for target in [PixelSize(width: (width + 1) / 2, height: (height + 2) / 3), whole.size] {
          let placement = ScalePlacement(whole: whole.size, at: target)

          let small = try Self.scaled(jpeg, placement, Self.best)

          let error = ReferenceScaler(placement: placement).largestError(of: small, from: whole)
          // Chroma of four columns is not interpolated when all is decoded.
          let bound = kind == .quarterColumns ? 9.0 : 4.5
          #expect(error < bound, "\(kind.rawValue), \(width)×\(height) to \(target)")
        }
      }
    }
  }

  /// Sizes that leave one pixel or one less than a block at the edge, decoded at an eighth, a
  /// quarter and a half.
  @Test(arguments: SubsampledJPEG.allCases, [257, 263])
  func isRightAtTheEdges(_ kind: SubsampledJPEG, side: Int) throws {
    let scene = Scene.gradient(width: side, height: side + 6)
    let jpeg = try kind.data(scene)
    let whole = try Image(jpeg).pixelBuffer()
    for quality in Image.ScalingQuality.allCases {
      for divisor in [21.0, 9, 5.5] {
        let target = PixelSize(
          width: Int(Double(side) / divisor), height: Int(Double(side + 6) / divisor))
        let placement = ScalePlacement(whole: whole.size, at: target)

        let small = try Self.scaled(
          jpeg, placement, ScaleOptions(quality: quality, isLinear: false))

        let error = ReferenceScaler(placement: placement).largestError(of: small, from: whole)
        #expect(error < 5, "\(quality), \(target)")
      }
    }
  }

  /// What encoders fill the last blocks up with is theirs to choose.
  @Test func letsHardlyAnythingInFromBehindTheEdge() throws {
    let scene = Scene(width: 520, height: 520) { x, y in
      let isOutside = x >= 514 || y >= 514
      return Scene.Color(red: isOutside ? 255 : 60, green: 60, blue: 60)
    }
    let jpeg = try SubsampledJPEG.full.data(scene).declaring(width: 514, height: 514)
    for quality in Image.ScalingQuality.allCases {
      let placement = try ScalePlacement(
        of: PixelSize(width: 514, height: 514), longestSide: 41)

      let small = try Self.scaled(
        jpeg, placement, ScaleOptions(quality: quality, isLinear: false))

      // A quarter of the last block is the picture's; where it counts as a whole one, there is half
      // as much red again.
      #expect(Int(small.bgra(40, 20)[2]) < 60 + 22)
      #expect(Int(small.bgra(20, 40)[2]) < 60 + 22)
      #expect(small.bgra(37, 37) == [60, 60, 60, 255])
    }
  }

  @Test func isTheSameByAllLoops() throws {
    let jpeg = try SubsampledJPEG.quarter.data(ScaledPixelsTests.rough(523, 401), quality: 90)
    for quality in Image.ScalingQuality.allCases {
      for isLinear in [false, true] {
        let all = try Loops.allCases.map { loops in
          let options = ScaleOptions(quality: quality, isLinear: isLinear, loops: loops)
          let placement = try ScalePlacement(
            of: PixelSize(width: 523, height: 401), longestSide: 55)
          return try Self.scaled(jpeg, placement, options).withUnsafePlanes { Array($0[0]) }
        }
        #expect(all.allSatisfy { $0 == all[0] })
      }
    }
  }

  @Test func mixesLight() throws {
    let jpeg = try SubsampledJPEG.full.data(ScaledPixelsTests.rough(300, 256))
    let whole = try Image(jpeg).pixelBuffer()
    let placement = ScalePlacement(whole: whole.size, at: PixelSize(width: 120, height: 100))

    let small = try Self.scaled(jpeg, placement, ScaleOptions(quality: .best, isLinear: true))

    let light = ReferenceScaler(placement: placement, isLinear: true)
    #expect(light.psnr(of: small, from: whole) > 45)
  }

  /// Stars of 2 × 2 pixels, whose light a small picture must not lose.
  @Test func keepsStarsBright() throws {
    let sky = Scene(width: 512, height: 512) { x, y in
      let isStar = x % 16 / 2 == 4 && y % 16 / 2 == 2
      let level = isStar ? 255.0 : 0
      return Scene.Color(red: level, green: level, blue: level)
    }
    let jpeg = try SubsampledJPEG.grey.data(sky, quality: 100)
    let placement = try ScalePlacement(of: PixelSize(width: 512, height: 512), longestSide: 32)

    let light = try Self.scaled(jpeg, placement, ScaleOptions(quality: .best, isLinear: true))
    let numbers = try Self.scaled(jpeg, placement, Self.best)

    // A 64th of the light is sRGB's 34; a 64th of the number 255 is 4.
    #expect((31...37).contains(light.bgra(16, 16)[1]))
    #expect((2...6).contains(numbers.bgra(16, 16)[1]))
  }

  @Test(arguments: SubsampledJPEG.allCases)
  func readsScansOfGrowingDetail(_ kind: SubsampledJPEG) throws {
    let scene = Scene.gradient(width: 301, height: 247)
    let placement = try ScalePlacement(of: PixelSize(width: 301, height: 247), longestSide: 64)

    let baseline = try Self.scaled(kind.data(scene), placement, Self.best)
    let progressive = try Self.scaled(
      kind.data(scene, isProgressive: true), placement, Self.best)

    #expect(progressive.meanError(to: baseline) == 0)
  }

  @Test(arguments: [StoredPictures.cmyk, StoredPictures.ycck])
  func readsInk(_ jpeg: Data) throws {
    for isLinear in [false, true] {
      let placement = ScalePlacement(
        whole: PixelSize(width: 32, height: 24), at: PixelSize(width: 16, height: 12))
      let options = ScaleOptions(quality: .best, isLinear: isLinear)

      let small = try Self.scaled(jpeg, placement, options)

      let whole = try Image(jpeg).pixelBuffer()
      for (x, other) in [(2, 4), (13, 26)] {
        for (one, two) in zip(small.bgra(x, 6), whole.bgra(other, 12)) {
          #expect(abs(Int(one) - Int(two)) <= 2)
        }
      }
    }
  }

  @Test func readsOtherKindsThatLibjpegReads() throws {
    for jpeg in [
      StoredPictures.arithmetic, StoredPictures.progressive, StoredPictures.withRestarts,
    ] {
      let image = try Image(jpeg)
      let small = try image.thumbnail(maxPixelSize: 16).pixelBuffer()
      let placement = try ScalePlacement(of: image.size, longestSide: 16)
      let whole = try image.pixelBuffer()
      #expect(ReferenceScaler(placement: placement).largestError(of: small, from: whole) < 12)
    }
  }
}
