import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct PixelTurnTests {
  private func numbered(_ width: Int, _ height: Int) throws -> PixelBuffer {
    try Scene(width: width, height: height) { x, y in
      Scene.Color(red: Double(x * 16), green: Double(y * 16), blue: 9)
    }.pixels(.bgra32)
  }

  private func rows(_ pixels: PixelBuffer) -> [[UInt8]] {
    (0..<pixels.height).flatMap { y in (0..<pixels.width).map { pixels.bgra($0, y) } }
  }

  @Test(arguments: ImageOrientation.allCases)
  func isTheOrientationThatItUndoes(_ orientation: ImageOrientation) throws {
    let turn = PixelTurn(undoing: orientation)
    #expect(turn.orientation == orientation)
    #expect(turn.transposes == orientation.swapsSides)
    // Each pixel of what libyuv makes of it comes from where the turn says.
    let pixels = try numbered(5, 3)
    let upright = try LibYUVBridge.oriented(pixels, by: orientation)
    #expect(upright.size == turn.size(of: pixels.size))
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let pixel = turn.source(of: PixelRect(x: x, y: y, width: 1, height: 1), in: pixels.size)
        #expect(upright.bgra(x, y) == pixels.bgra(pixel.x, pixel.y))
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases, ImageOrientation.allCases)
  func twoAfterEachOtherAreOne(_ first: ImageOrientation, _ second: ImageOrientation) throws {
    let pixels = try numbered(5, 3)
    let both = try LibYUVBridge.oriented(LibYUVBridge.oriented(pixels, by: first), by: second)
    let turn = PixelTurn(undoing: first).then(PixelTurn(undoing: second))
    let one = try LibYUVBridge.oriented(pixels, by: turn.orientation)
    #expect(one.size == both.size && rows(one) == rows(both))
  }

  @Test func trimsWhatCannotBeMoved() throws {
    let unit = PixelSize(width: 16, height: 8)
    func trimmed(_ orientation: ImageOrientation, _ rect: PixelRect) -> PixelRect? {
      PixelEdit(rect: rect, turn: PixelTurn(undoing: orientation), orientation: .up)
        .trimmed(toUnits: unit)?.rect
    }
    let rect = PixelRect(x: 3, y: 9, width: 40, height: 20)
    #expect(trimmed(.up, rect) == PixelRect(x: 16, y: 16, width: 27, height: 13))
    #expect(trimmed(.down, rect) == PixelRect(x: 3, y: 9, width: 29, height: 15))
    #expect(trimmed(.right, rect) == PixelRect(x: 16, y: 9, width: 27, height: 15))
    #expect(trimmed(.up, PixelRect(x: 17, y: 0, width: 15, height: 8)) == nil)
    #expect(trimmed(.down, PixelRect(x: 0, y: 1, width: 16, height: 6)) == nil)
  }
}
