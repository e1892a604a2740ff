import Imaging
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct DisplayMatrixTests {
  @Test(arguments: ImageOrientation.allCases)
  func saysEachOrientation(orientation: ImageOrientation) {
    let matrix = DisplayMatrix(orientation, width: 640, height: 480)

    #expect(matrix.orientation == orientation)
    #expect(DisplayMatrix(matrix.elements) == matrix)
  }

  /// All four corners are shown within the picture, none on a negative place.
  @Test(arguments: ImageOrientation.allCases)
  func movesThePictureBackToWhereItBegins(orientation: ImageOrientation) {
    let elements = DisplayMatrix(orientation, width: 640, height: 480).elements.map { $0 >> 16 }
    let corners = [(0, 0), (640, 0), (0, 480), (640, 480)].map { x, y in
      (
        elements[0] * x + elements[3] * y + elements[6],
        elements[1] * x + elements[4] * y + elements[7]
      )
    }

    let (width, height): (Int32, Int32) = orientation.swapsSides ? (480, 640) : (640, 480)
    #expect(corners.map(\.0).min() == 0 && corners.map(\.0).max() == width)
    #expect(corners.map(\.1).min() == 0 && corners.map(\.1).max() == height)
  }

  /// What phones write that are held upright: a quarter clockwise.
  @Test func turnsAsPhonesDo() {
    let one: Int32 = 1 << 16
    #expect(
      DisplayMatrix([0, one, 0, -one, 0, 0, 480 << 16, 0, 1 << 30])?.orientation == .right)
    #expect(DisplayMatrix([0, 0, 0, 0, 0, 0, 0, 0, 0])?.orientation == .up)
    #expect(DisplayMatrix([one]) == nil)
  }
}
