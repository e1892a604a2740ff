import Foundation
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct OrientationClassifierTests {
  /// What a sensor at rest measures: turned counter-clockwise as its user sees it, then leant back
  /// until it lies on its back at 90.
  static func reading(turned: Double, leant: Double = 0, strength: Double = 9.81) -> SIMD3<Double> {
    let (turned, leant) = (turned * .pi / 180, leant * .pi / 180)
    return strength
      * SIMD3(-sin(turned) * cos(leant), -cos(turned) * cos(leant), -sin(leant))
  }

  private func judged(_ readings: [SIMD3<Double>]) -> DeviceOrientation {
    var classifier = OrientationClassifier()
    for reading in readings { classifier.take(reading) }
    return classifier.orientation
  }

  @Test(arguments: [
    (SIMD3(0, -9.81, 0), DeviceOrientation.portrait),
    (SIMD3(0, 9.81, 0), .portraitUpsideDown),
    // Its right edge is up: its top is to the left.
    (SIMD3(-9.81, 0, 0), .landscapeLeft),
    (SIMD3(9.81, 0, 0), .landscapeRight),
    (SIMD3(0, 0, -9.81), .faceUp),
    (SIMD3(0, 0, 9.81), .faceDown),
  ])
  func knowsTheSixPositions(reading: SIMD3<Double>, orientation: DeviceOrientation) {
    #expect(judged([reading]) == orientation)
  }

  @Test(arguments: [
    (0.0, DeviceOrientation.portrait), (44, .portrait), (46, .landscapeLeft), (134, .landscapeLeft),
    (136, .portraitUpsideDown), (180, .portraitUpsideDown), (-136, .portraitUpsideDown),
    (-134, .landscapeRight), (-46, .landscapeRight), (-44, .portrait),
  ])
  func takesTheNearestPositionAtFirst(turned: Double, orientation: DeviceOrientation) {
    #expect(judged([Self.reading(turned: turned)]) == orientation)
  }

  @Test(arguments: [
    (0.0, 54.0, DeviceOrientation.portrait), (0, 56, .landscapeLeft), (0, -54, .portrait),
    (0, -56, .landscapeRight), (180, 126, .portraitUpsideDown), (180, 124, .landscapeLeft),
    (180, -126, .portraitUpsideDown), (180, -124, .landscapeRight), (90, 36, .landscapeLeft),
    (90, 34, .portrait), (-90, 179, .portraitUpsideDown), (0, 180, .portraitUpsideDown),
  ])
  func turnsOnlyWellPastTheBorder(from: Double, to: Double, orientation: DeviceOrientation) {
    #expect(judged([Self.reading(turned: from), Self.reading(turned: to)]) == orientation)
  }

  @Test(arguments: [
    (0.0, 64.0, DeviceOrientation.portrait), (0, 66, .faceUp), (90, 56, .faceUp),
    (90, 54, .portrait), (-90, -56, .faceDown), (-66, -66, .faceDown), (90, -90, .faceDown),
  ])
  func liesFlatOnlyWellPastTheBorder(from: Double, to: Double, orientation: DeviceOrientation) {
    let readings = [from, to].map { Self.reading(turned: 0, leant: $0) }

    #expect(judged(readings) == orientation)
  }

  @Test(arguments: [
    .zero, SIMD3(0, 3.9, 0), SIMD3(30, 0, 0), SIMD3(.nan, 1, 1), SIMD3(.infinity, 0, 0),
    SIMD3(repeating: 1e300),
  ])
  func ignoresShakingAndFalling(reading: SIMD3<Double>) {
    #expect(judged([reading]) == .unknown)
    #expect(judged([Self.reading(turned: 90), reading]) == .landscapeLeft)
  }
}
