import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct JPEGTransformTests {
  /// How a scene lies in a file that needs an orientation, told by where the first pixel goes.
  private func stored(
    _ scene: Scene, needing orientation: ImageOrientation
  ) -> Scene {
    let (width, height) = (scene.width, scene.height)
    let swaps = orientation.swapsSides
    let color = scene.color
    return Scene(width: swaps ? height : width, height: swaps ? width : height) { x, y in
      switch orientation {
      case .up: color(x, y)
      case .upMirrored: color(width - 1 - x, y)
      case .down: color(width - 1 - x, height - 1 - y)
      case .downMirrored: color(x, height - 1 - y)
      case .leftMirrored: color(y, x)
      case .right: color(width - 1 - y, x)
      case .rightMirrored: color(width - 1 - y, height - 1 - x)
      case .left: color(y, height - 1 - x)
      }
    }
  }

  private func isClose(_ jpeg: Data, to scene: Scene) throws -> Bool {
    let shown = try Image(jpeg).pixelBuffer()
    let expected = try scene.pixels(.bgra32)
    return shown.meanError(to: expected) < 3
  }

  @Test(arguments: ImageOrientation.allCases)
  func turnsWholeBlocksWithoutLoss(_ orientation: ImageOrientation) throws {
    let scene = Scene.gradient(width: 96, height: 64)
    let pixels = try stored(scene, needing: orientation).pixels(.nv12)
    let jpeg = try JPEGEncoder().encode(pixels)

    let upright = try JPEGTransform.oriented(jpeg, by: orientation)

    #expect(upright.isLossless)
    #expect(try isClose(upright.data, to: scene))
    #expect(upright.data.jpegContents(of: 0xE1).count == 1)
    #expect(try Image(upright.data).orientation == .up)
  }

  @Test(
    arguments: ImageOrientation.allCases.dropFirst(), [(97, 64), (96, 65), (101, 51), (51, 101)])
  func leavesNoStripAtAWrongEdge(_ orientation: ImageOrientation, _ size: (Int, Int)) throws {
    let scene = Scene.gradient(width: size.0, height: size.1)
    let jpeg = try JPEGEncoder(quality: 0.95).encode(
      stored(scene, needing: orientation).pixels(.yuv420))

    let upright = try JPEGTransform.oriented(jpeg, by: orientation)

    let image = try Image(upright.data)
    #expect(image.pixelWidth == size.0 && image.pixelHeight == size.1)
    #expect(try isClose(upright.data, to: scene))
    #expect(try Image(upright.data).orientation == .up)
  }

  @Test func losesNothingByTurningThereAndBack() throws {
    let jpeg = try JPEGEncoder().encode(Scene.bars(height: 64).pixels(.nv12))
    let turned = try JPEGTransform.oriented(jpeg, by: .right).data
    let back = try JPEGTransform.oriented(turned, by: .left).data
    #expect(try Image(back).pixelBuffer().meanError(to: Image(jpeg).pixelBuffer()) == 0)
  }

  @Test(arguments: [(64, true), (61, false)])
  func keepsMetadataAndProfile(_ height: Int, _ isLossless: Bool) throws {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.make = "Maker"
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660.5)
    metadata.timeZoneOffset = 0
    let pixels = try Scene.gradient(width: 64, height: height).pixels(.nv12)
    let profile = Array("ICC_PROFILE\0\u{1}\u{1}profile".utf8)
    let plain = try JPEGEncoder().encode(pixels, metadata: metadata)
    let exif = try require(plain.jpegSegments.first).range.upperBound
    let length = UInt8(profile.count + 2)
    let jpeg = plain.prefix(exif) + [0xFF, 0xE2, 0, length] + profile + plain.dropFirst(exif)

    let upright = try JPEGTransform.oriented(jpeg.copied, by: .right)

    #expect(upright.isLossless == isLossless)
    metadata.orientation = .up
    #expect(upright.data.imageMetadata == metadata)
    #expect(upright.data.jpegContents(of: 0xE2) == [Data(profile)])
    #expect(upright.data.jpegMarkers.filter { $0 == 0xE1 }.count == 1)
  }

  @Test func turnsArithmeticAndProgressivePictures() throws {
    for jpeg in [StoredPictures.arithmetic, StoredPictures.progressive, StoredPictures.cmyk] {
      let before = try Image(jpeg).pixelBuffer()
      let upright = try JPEGTransform.oriented(jpeg, by: .right)
      let after = try Image(upright.data).pixelBuffer()
      #expect(after.width == before.height && after.height == before.width)
      let expected = try LibYUVBridge.oriented(before, by: .right)
      #expect(after.meanError(to: expected) < 4)
    }
  }

  @Test(arguments: [(96, true), (91, false)])
  func findsThePictureAmongForeignBytes(_ width: Int, _ isLossless: Bool) throws {
    let scene = Scene.gradient(width: width, height: 64)
    let jpeg = try JPEGEncoder().encode(stored(scene, needing: .down).pixels(.nv12))
    let foreign = Data(repeating: 0x11, count: 700) + jpeg + Data(repeating: 0, count: 300)
    let upright = try JPEGTransform.oriented(foreign, by: .down)
    #expect(upright.isLossless == isLossless)
    #expect(try isClose(upright.data, to: scene))
  }

  @Test(arguments: [(Int(Int32.max) - 15, 0), (0, Int(Int32.max) - 15)])
  func refusesARectangleWhoseEndIsNoNumber(_ x: Int, _ y: Int) throws {
    let jpeg = try JPEGEncoder().encode(Scene.gradient(width: 96, height: 64).pixels(.nv12))
    let edit = PixelEdit(
      rect: PixelRect(x: x, y: y, width: 16, height: 16), turn: .none, orientation: .up)
    let error = #expect(throws: ImagingError.self) {
      try LibJPEGTransformBridge.transform(jpeg.bytes, edit, limits: .standard)
    }
    #expect(error?.code == .corrupt)
  }

  @Test func refusesDamagedPictures() throws {
    let jpeg = try JPEGEncoder().encode(Scene.gradient(width: 96, height: 64).pixels(.nv12))
    let cut = #expect(throws: ImagingError.self) {
      try JPEGTransform.oriented(jpeg.prefix(jpeg.count / 2).copied, by: .right)
    }
    #expect(cut?.code == .incomplete)
    let hole = jpeg.prefix(jpeg.count / 2) + [0xFF, 0xD9]
    #expect(throws: ImagingError.self) { try JPEGTransform.oriented(hole.copied, by: .right) }
  }
}
