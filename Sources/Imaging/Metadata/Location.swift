public import Foundation

extension ImageMetadata {
  /// A place on earth, in WGS 84 as satellites tell it.
  public struct Location: Hashable, Sendable {
    /// Degrees north of the equator, −90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public var longitude: Double
    /// Metres above the sea.
    public var altitude: Double?
    /// When the place was determined.
    public var timestamp: Date?

    /// Names a place.
    ///
    /// Degrees are kept to nine digits after the point, a tenth of a millimetre; altitudes to the
    /// millimetre, moments to the microsecond.
    public init(
      latitude: Double, longitude: Double, altitude: Double? = nil, timestamp: Date? = nil
    ) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
      self.timestamp = timestamp
    }

    /// Whether both coordinates are what they can be.
    var isSound: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

    func isAt(_ other: Self?) -> Bool {
      latitude == other?.latitude && longitude == other?.longitude
    }
  }
}

// MARK: - As EXIF writes it

extension ImageMetadata.Location {
  typealias Fraction = ImageMetadata.Fraction

  /// Degrees, minutes and seconds without a sign.
  static func fractions(ofDegrees value: Double) -> [Fraction] {
    // Seconds to the ten-millionth: a third of a centimetre's thousandth.
    let unit = 10_000_000
    let all = Int((abs(value) * 3600 * Double(unit)).rounded())
    let (minutes, seconds) = all.quotientAndRemainder(dividingBy: 60 * unit)
    return [
      Fraction(UInt32(minutes / 60), 1), Fraction(UInt32(minutes % 60), 1),
      Fraction(UInt32(seconds), UInt32(unit)),
    ]
  }

  /// Degrees of degrees, minutes and seconds; nil where one of them is no number.
  static func degrees(of fractions: [Fraction]) -> Double? {
    guard let degrees = fractions.first?.value else { return nil }
    let sixtieths = fractions.dropFirst().map { $0.value ?? 0 }
    let sum = degrees + (sixtieths.first ?? 0) / 60 + (sixtieths.dropFirst().first ?? 0) / 3600
    return (sum * 1e9).rounded() / 1e9
  }

  /// An altitude without a sign; nil where it is not finite or too large.
  static func fraction(ofMetres value: Double) -> Fraction? {
    UInt32(exactly: (abs(value) * 1000).rounded()).map { Fraction($0, 1000) }
  }
}

extension ExifBlock {
  /// Writes a place; one that is none is left out.
  ///
  /// - Parameters:
  ///   - location: The place. What the camera said of another one goes: the map that its degrees
  ///     were of, a destination, a region's name, how it was determined.
  ///   - old: What the block says.
  mutating func set(_ location: ImageMetadata.Location, insteadOf old: ImageMetadata.Location?) {
    typealias Tag = LocationTag
    guard location.isSound else { return }
    if !location.isAt(old) {
      for entry in self[.location].entries where !Tag.stays(entry.tag) {
        remove(entry.tag, in: .location)
      }
    }
    if !contains(Tag.version, in: .location) {
      set(Tag.version, in: .location, bytes: [2, 3, 0, 0])
    }
    set(Tag.latitudeReference, in: .location, text: location.latitude < 0 ? "S" : "N")
    set(
      Tag.latitude, in: .location,
      fractions: ImageMetadata.Location.fractions(ofDegrees: location.latitude))
    set(Tag.longitudeReference, in: .location, text: location.longitude < 0 ? "W" : "E")
    set(
      Tag.longitude, in: .location,
      fractions: ImageMetadata.Location.fractions(ofDegrees: location.longitude))
    if let altitude = location.altitude,
      let fraction = ImageMetadata.Location.fraction(ofMetres: altitude)
    {
      set(Tag.altitudeReference, in: .location, bytes: [altitude < 0 ? 1 : 0])
      set(Tag.altitude, in: .location, fraction: fraction)
    } else {
      remove(Tag.altitudeReference, in: .location)
      remove(Tag.altitude, in: .location)
    }
    setTime(location.timestamp)
  }

  private mutating func setTime(_ date: Date?) {
    typealias Tag = LocationTag
    guard let time = date.flatMap({ ExifTime($0, secondsFromGMT: 0) }) else {
      remove(Tag.date, in: .location)
      remove(Tag.time, in: .location)
      return
    }
    let parts = time.text.split(separator: " ")
    set(Tag.date, in: .location, text: String(parts.first ?? ""))
    let numbers = parts.last?.split(separator: ":").compactMap { UInt32($0) } ?? []
    guard numbers.count == 3 else { return }
    let micros = UInt32(time.subseconds.padding(toLength: 6, withPad: "0", startingAt: 0)) ?? 0
    let second: ImageMetadata.Fraction =
      micros == 0 ? .init(numbers[2], 1) : .init(numbers[2] * 1_000_000 + micros, 1_000_000)
    set(Tag.time, in: .location, fractions: [.init(numbers[0], 1), .init(numbers[1], 1), second])
  }
}
