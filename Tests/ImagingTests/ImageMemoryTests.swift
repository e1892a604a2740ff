import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct ImageMemoryTests {
  @Test func countsItsBytesAndItsPixels() throws {
    let made = Image(try Scene.gradient(width: 96, height: 64).pixels(.nv12))
    #expect(made.byteCount == 96 * 64 * 3 / 2)
    _ = try made.pixelBuffer()
    #expect(made.byteCount == 96 * 64 * 3 / 2 + 96 * 64 * 4)
    made.releasePixels()
    #expect(made.byteCount == 96 * 64 * 3 / 2)

    for data in [made.jpegData(compressionQuality: 0.8), made.pngData()] {
      let image = try Image(require(data))
      let file = try require(data).count
      #expect(image.byteCount == file)
      let pixels = try image.pixelBuffer()
      #expect(image.byteCount == file + 96 * 64 * 4)
      image.releasePixels()
      #expect(image.byteCount == file)
      #expect(try image.pixelBuffer().meanError(to: pixels) == 0)
    }
  }

  @Test func countsPixelsThatItWasMadeOfOnce() throws {
    let image = Image(try Scene.gradient(width: 96, height: 64).pixels(.bgra))
    _ = try image.pixelBuffer()
    #expect(image.byteCount == 96 * 64 * 4)
    image.releasePixels()
    #expect(image.byteCount == 96 * 64 * 4)
  }

  @Test func countsNothingForPixelsThatCannotBeDecoded() throws {
    let data = try require(
      Image(Scene.gradient(width: 96, height: 64).pixels(.bgra)).pngData())
    let image = try Image(data.dropLast(30).copied)
    #expect(throws: ImagingError.self) { try image.pixelBuffer() }
    #expect(image.byteCount == data.count - 30)
  }
}
