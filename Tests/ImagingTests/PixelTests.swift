import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct PixelTests {
  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func convertsWithMatrixAndRange(
    _ format: PixelFormat, _ description: ColorDescription
  ) throws {
    for scene in [Scene.greyRamp(), .bars(), .gradient(width: 33, height: 17)] {
      let shown = try scene.pixels(format, description, gap: 6).converted(to: .bgra32)
      let error = shown.largestError { scene.shown($0, $1, format, description) }
      #expect(error < 1.1, "\(scene.width): \(error)")
      #expect(shown.bgra(0, 0)[3] == 255)
    }
  }

  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func convertsAlikeOnEveryProcessor(
    _ format: PixelFormat, _ description: ColorDescription
  ) throws {
    // Sixty-four pixels at a time, thirty-two, sixteen, and three more.
    let pixels = try Scene.gradient(width: 115, height: 17).pixels(format, description, gap: 6)
    let pool = PixelPool()

    let portable = try BGRABridge.bgra(pixels, from: pool, .portable)

    #expect((portable == nil) == [.grey, .rgb24, .bgr24, .bgra].contains(format))
    guard let portable else { return }
    for loops in Loops.allCases {
      let shown = try require(BGRABridge.bgra(pixels, from: pool, loops))
      #expect(shown.meanError(to: portable) == 0, "\(loops)")
    }
  }

  /// A whole frame, with sixteen pixels at the end of each row.
  @Test(arguments: [PixelFormat.yuyv, .uyvy, .nv12, .yuv420])
  func convertsLargePicturesAlikeOnEveryProcessor(_ format: PixelFormat) throws {
    let layout = try require(PixelLayout(format: format, width: 1296, height: 822))
    let noise = (0..<4099).map { _ in UInt8.random(in: 0...255) }
    let byteCount = layout.byteCount(ofBlock: 0)
    let bytes = Array(
      repeatElement(noise, count: byteCount / noise.count + 1).joined().prefix(byteCount))
    let pixels = try require(PixelBuffer(layout: layout, color: .bt601Limited, bytes: bytes))
    let pool = PixelPool()

    let all = try Loops.allCases.map { loops in
      try require(BGRABridge.bgra(pixels, from: pool, loops)).withUnsafePlanes { Array($0[0]) }
    }

    #expect(all.allSatisfy { $0 == all[0] })
  }

  @Test(
    arguments: [
      (PixelFormat.mjpeg, ColorDescription.jpeg), (.rgb24, .jpeg), (.grey, .jpeg),
      (.yuyv, .bt601Limited), (.nv12, .bt601Limited),
    ])
  func assumesWhatNobodySays(_ format: PixelFormat, _ expected: ColorDescription) {
    #expect(ColorDescription.assumed(for: format) == expected)
  }

  @Test func convertsToItsOwnFormatByDoingNothing() throws {
    let pixels = try Scene.bars().pixels(.yuyv)
    #expect(try pixels.converted(to: .yuyv).format == .yuyv)
    let error = #expect(throws: ImagingError.self) { try pixels.converted(to: .mjpeg) }
    #expect(error?.code == .unsupported)
  }

  @Test(arguments: ["YUYV", "MJPG", "Y16", "AR24"])
  func readsAndWritesFourCharacterCodes(_ text: String) {
    #expect(PixelFormat(fourCharacterCode: text)?.description == text)
  }

  @Test(arguments: ["", "YUYV2", "Ü16"])
  func takesNothingElseForACode(_ text: String) {
    #expect(PixelFormat(fourCharacterCode: text) == nil)
  }

  @Test func takesBothCodesOfCamerasForJPEG() {
    #expect(PixelFormat.mjpeg.isJPEG && PixelFormat.jpeg.isJPEG && !PixelFormat.yuyv.isJPEG)
  }

  @Test func laysOddSizesOutWithWholeChroma() throws {
    let planar = try require(PixelLayout(format: .yuv420, width: 5, height: 3))
    #expect(planar.planes.map(\.sampleBytesPerRow) == [5, 3, 3])
    #expect(planar.planes.map(\.rowCount) == [3, 2, 2])
    #expect(planar.byteCount(ofBlock: 0) == 15 + 6 + 6)
    let packed = try require(PixelLayout(format: .yuyv, width: 5, height: 3))
    #expect(packed.byteCount(ofBlock: 0) == 36)
  }

  @Test func refusesLayoutsThatMakeNoSense() {
    #expect(PixelLayout(format: .yuyv, width: 0, height: 1) == nil)
    #expect(PixelLayout(format: .yuyv, width: 70_000, height: 1) == nil)
    #expect(PixelLayout(format: .mjpeg, width: 10, height: 10) == nil)
    #expect(PixelLayout(format: .yuyv, width: 10, height: 10, bytesPerRow: [19]) == nil)
    #expect(PixelLayout(format: .yuyv, width: 10, height: 10, bytesPerRow: [.max]) == nil)
    #expect(PixelLayout(format: .yuyv, width: 10, height: 10, bytesPerRow: [-20]) == nil)
  }

  @Test func refusesTooFewBytes() throws {
    let layout = try require(PixelLayout(format: .nv12, width: 6, height: 4, bytesPerRow: [8]))
    let needed = layout.byteCount(ofBlock: 0)
    #expect(PixelBuffer(layout: layout, bytes: [UInt8](repeating: 0, count: needed - 1)) == nil)
    #expect(PixelBuffer(layout: layout, bytes: [UInt8](repeating: 0, count: needed)) != nil)
    let two = try require(PixelLayout(format: .nv12Multiplanar, width: 6, height: 4))
    #expect(PixelBuffer(layout: two, bytes: [UInt8](repeating: 0, count: 500)) == nil)
  }
}
