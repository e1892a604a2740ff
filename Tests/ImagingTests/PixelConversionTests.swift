import Foundation
import Testing

@testable import Imaging

/// Pictures in other formats, in memory that is used again.
@Suite(.timeLimit(.minutes(1)))
struct PixelConversionTests {
  @Test(arguments: ImageOrientation.allCases)
  func turnsNV12AsItTurnsBGRA(_ orientation: ImageOrientation) throws {
    let pixels = try Scene.gradient(width: 64, height: 32).pixels(.nv12, .bt601Limited)
    let pool = PixelPool()

    let turned = try pixels.oriented(by: orientation, from: pool).converted(to: .bgra)
    let expected = try pixels.converted(to: .bgra).oriented(by: orientation, from: pool)

    #expect(turned.width == expected.width && turned.height == expected.height)
    #expect(turned.meanError(to: expected) < 1)
  }

  @Test func turnsNothingElse() throws {
    let pixels = try Scene.bars().pixels(.yuyv)
    let error = #expect(throws: ImagingError.self) {
      try pixels.oriented(by: .right, from: PixelPool())
    }
    #expect(error?.code == .unsupported)
  }

  @Test(arguments: [PixelFormat.bgra, .nv12])
  func usesTheMemoryOfAPictureThatHasGone(_ format: PixelFormat) throws {
    let pool = PixelPool()
    let pixels = try Scene.bars().pixels(.yuyv)
    let (first, second) = try (
      pixels.converted(to: format, from: pool).address,
      pixels.converted(to: format, from: pool).address
    )
    let kept = try pixels.converted(to: format, from: pool)

    #expect(first == second)
    #expect(try pixels.converted(to: format, from: pool).address != kept.address)
  }

  @Test func decodesACamerasJPEG() throws {
    let scene = Scene.bars()
    let jpeg = try JPEGEncoder(quality: 0.95).encode(scene.pixels(.bgra), metadata: .init())
    let pool = PixelPool()

    let pixels = try jpeg.decoded(pixelCount: 128 * 32, from: pool)

    #expect(pixels.format == .bgra && pixels.width == 128)
    #expect(pixels.meanError(to: try scene.pixels(.bgra)) < 3)
  }

  @Test func refusesAJPEGOfMorePixelsThanTheCameraHas() throws {
    let jpeg = try JPEGEncoder().encode(Scene.bars().pixels(.bgra), metadata: .init())
    let error = #expect(throws: ImagingError.self) {
      try jpeg.decoded(pixelCount: 128 * 31, from: PixelPool())
    }
    #expect(error?.code == .tooLarge)
  }
}

extension PixelBuffer {
  fileprivate var address: UInt {
    withUnsafePlanes { UInt(bitPattern: $0[0].baseAddress) }
  }
}

extension Data {
  fileprivate func decoded(
    pixelCount: Int, from pool: PixelPool
  ) throws(ImagingError) -> PixelBuffer {
    try PixelBuffer(decoding: bytes, limits: Image.Limits(pixelCount: pixelCount), from: pool)
  }
}
