import Foundation

/// Judges from what an accelerometer measures how the device is held.
///
/// Each border has a width, so that a hand that trembles at it does not turn pictures to and fro.
struct OrientationClassifier {
  /// Readings far from the earth's pull are a hand that shakes or drops the device: they say
  /// nothing.
  private static let credible = 4.0...16.0
  /// Degrees from lying flat: below the first it lies, above the second it does not.
  private static let flatBorders = (25.0, 35.0)
  /// Degrees from an upright position within which it is kept; the borders are at 45.
  private static let keptWithin = 55.0

  /// The last judgement; unknown until a credible reading has come.
  private(set) var orientation = DeviceOrientation.unknown

  /// Takes a reading in.
  ///
  /// - Parameter reading: m/s² along the display's axes: x to its right, y to its top, z to the
  ///   user; at rest the vector points down.
  mutating func take(_ reading: SIMD3<Double>) {
    let strength = (reading * reading).sum().squareRoot()
    // Also false for what is not a number.
    guard Self.credible.contains(strength) else { return }
    let fromFlat = acos(min(1, abs(reading.z) / strength)) * 180 / .pi
    let isFlat = orientation == .faceUp || orientation == .faceDown
    if fromFlat < (isFlat ? Self.flatBorders.1 : Self.flatBorders.0) {
      orientation = reading.z < 0 ? .faceUp : .faceDown
    } else {
      orientation = upright(turnedBy: atan2(-reading.x, -reading.y) * 180 / .pi)
    }
  }

  /// The position for degrees counter-clockwise as the user sees it, -180 to 180.
  private func upright(turnedBy angle: Double) -> DeviceOrientation {
    if let kept = Self.uprights.firstIndex(of: orientation) {
      let deviation = (angle - 90 * Double(kept)).remainder(dividingBy: 360)
      if abs(deviation) < Self.keptWithin { return orientation }
    }
    let quarters = Int((angle / 90).rounded())
    return Self.uprights[(quarters + 4) % 4]
  }

  /// By quarters of a turn counter-clockwise.
  private static let uprights: [DeviceOrientation] = [
    .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight,
  ]
}
