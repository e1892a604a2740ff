import Foundation

extension ImageMetadata {
  /// Refuses what EXIF has no way to say: left out, it would leave what was there.
  ///
  /// A photo that is being taken is saved without it.
  ///
  /// - Parameter old: What is there; of it everything can be said.
  /// - Throws: `.invalidMetadata`.
  func checkThatItCanBeSaid(insteadOf old: ImageMetadata) throws(ImagingError) {
    if let dateTaken, (dateTaken, timeZoneOffset) != (old.dateTaken, old.timeZoneOffset) {
      try Self.check(dateTaken, secondsFromGMT: timeZoneOffset)
    }
    guard let location, location != old.location else { return }
    guard location.isSound else {
      throw Self.invalid(
        "a place at \(location.latitude)° and \(location.longitude)°: only −90 to 90 and "
          + "−180 to 180")
    }
    if let altitude = location.altitude, Location.fraction(ofMetres: altitude) == nil {
      throw Self.invalid("an altitude of \(altitude) m: only four million either way")
    }
    if let timestamp = location.timestamp { try Self.check(timestamp, secondsFromGMT: 0) }
  }

  private static func check(_ date: Date, secondsFromGMT: Int?) throws(ImagingError) {
    guard ExifTime(date, secondsFromGMT: secondsFromGMT) == nil else { return }
    let zone = secondsFromGMT.map { ", \($0) seconds from Greenwich" } ?? ""
    throw invalid(
      "the moment \(date.timeIntervalSince1970) seconds from 1970\(zone): "
        + "only years of four digits, and zones of less than a day")
  }

  private static func invalid(_ what: String) -> ImagingError {
    ImagingError(.invalidMetadata, "EXIF cannot say \(what).")
  }
}
