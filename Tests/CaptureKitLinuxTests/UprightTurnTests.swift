import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct UprightTurnTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var position: CaptureDevice.Position
    var mounting: Int
    /// For portrait, upside-down, landscape-right and landscape-left, in this order.
    var exif: [Int]
    var testDescription: String { "\(position), mounting \(mounting)" }
  }

  static let held: [CaptureVideoOrientation] = [
    .portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft,
  ]
  static let table: [Row] = [
    Row(position: .front, mounting: 0, exif: [1, 3, 6, 8]),
    Row(position: .unspecified, mounting: 0, exif: [1, 3, 6, 8]),
    Row(position: .back, mounting: 0, exif: [1, 3, 8, 6]),
    Row(position: .front, mounting: 90, exif: [6, 8, 3, 1]),
    Row(position: .back, mounting: 90, exif: [6, 8, 1, 3]),
    Row(position: .front, mounting: 180, exif: [3, 1, 8, 6]),
    Row(position: .back, mounting: 180, exif: [3, 1, 6, 8]),
    Row(position: .front, mounting: 270, exif: [8, 6, 1, 3]),
    Row(position: .back, mounting: 270, exif: [8, 6, 3, 1]),
  ]

  @Test(arguments: table)
  func turnsPicturesUpright(row: Row) {
    for (orientation, exif) in zip(Self.held, row.exif) {
      let turn = UprightTurn(
        position: row.position, mountingAngle: row.mounting, orientation: orientation,
        isMirrored: false)

      #expect(turn.imageOrientation.rawValue == exif, "\(orientation)")
    }
  }

  @Test(arguments: [(0, 2), (90, 5), (180, 4), (270, 7)])
  func flipsTheUprightPicture(mounting: Int, exif: Int) {
    let turn = UprightTurn(
      position: .front, mountingAngle: mounting, orientation: .portrait, isMirrored: true)

    #expect(turn.imageOrientation.rawValue == exif)
  }

  @Test(arguments: [(-90, 8), (360, 1), (450, 6), (89, 6), (.max, 1), (.min, 1)])
  func takesAnyMountingAngle(mounting: Int, exif: Int) {
    let turn = UprightTurn(
      position: .unspecified, mountingAngle: mounting, orientation: .portrait, isMirrored: false)

    #expect(turn.imageOrientation.rawValue == exif)
  }

  @Test(arguments: [
    (DeviceOrientation.portrait, CaptureVideoOrientation.portrait),
    (.portraitUpsideDown, .portraitUpsideDown),
    (.landscapeLeft, .landscapeRight), (.landscapeRight, .landscapeLeft),
    (.faceUp, .portrait), (.faceDown, .portrait), (.unknown, .portrait),
  ])
  func followsTheDevice(device: DeviceOrientation, video: CaptureVideoOrientation) {
    #expect(CaptureVideoOrientation(device) == video)
  }

  @Test(arguments: [DeviceOrientation.faceUp, .faceDown, .unknown])
  func keepsTheLastKnownOrientationWhereTheCallerWants(device: DeviceOrientation) {
    #expect(CaptureVideoOrientation(device, fallback: .landscapeLeft) == .landscapeLeft)
  }
}
