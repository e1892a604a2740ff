/// Units of controls and of people, converted both ways; pure.
enum ControlScale {
  /// One unit of `V4L2_CID_EXPOSURE_ABSOLUTE`.
  static let exposureUnit = Duration.microseconds(100)

  static func duration(ofExposure units: Int64) -> Duration {
    // Drivers may say anything; a day is more than enough.
    exposureUnit * Int(min(max(units, 0), 864_000_000))
  }

  /// The nearest number of units; not below one, as no time is no exposure.
  static func exposure(for duration: Duration) -> Int64 {
    let units = (duration / exposureUnit).rounded()
    return max(1, units < 864_000_000 ? Int64(max(units, 0)) : 864_000_000)
  }

  /// Where a number lies in a range, from 0 to 1.
  static func position(of number: Int64, in range: ClosedRange<Int64>) -> Double {
    let span = Double(range.upperBound) - Double(range.lowerBound)
    guard span > 0 else { return 0 }
    return min(max((Double(number) - Double(range.lowerBound)) / span, 0), 1)
  }

  /// The number at a position from 0 to 1.
  static func number(at position: Double, in range: ClosedRange<Int64>) -> Int64 {
    let span = Double(range.upperBound) - Double(range.lowerBound)
    return nearest(to: Double(range.lowerBound) + position * span, in: range)
  }

  /// The whole number of a range that is nearest to any number.
  static func nearest(to wish: Double, in range: ClosedRange<Int64>) -> Int64 {
    // The ends of 64 bits are no doubles.
    guard let number = Int64(exactly: wish.rounded()) else {
      return wish < 0 ? range.lowerBound : range.upperBound
    }
    return min(max(number, range.lowerBound), range.upperBound)
  }
}
