/// Words by which bytes whose structure is not known give away that they speak of a position.
enum LocationWords {
  /// What bytes are: the shorter a word, the more likely it is there by chance.
  enum Content {
    case text
    /// Text in which long runs of letters are no words: numbers to the base of 64.
    case markup
    case anything
  }

  /// Whether text has one of them, in capitals or not.
  static func areIn(_ text: String?) -> Bool {
    text.map { areIn($0.utf8, .text) } ?? false
  }

  /// Whether bytes have one of them, in capitals or not.
  static func areIn(_ bytes: some Sequence<UInt8>, _ content: Content) -> Bool {
    // The last eight letters, without what makes capitals of them.
    var last: UInt64 = 0
    for byte in bytes {
      last = last << 8 | UInt64(byte | 0x20)
      if last == latitude || last == longitude { return true }
      let five = last & 0xFF_FFFF_FFFF
      if five == fix || five == minimum { return true }
      guard last & 0xFF_FFFF == gps, content != .anything else { continue }
      if content == .text || !isLetterOrDigit(UInt8(truncatingIfNeeded: last >> 24)) { return true }
    }
    return false
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  private static let gps = number("gps")
  private static let latitude = number("latitude")
  /// With the way that some drones spell it.
  private static let longitude = number("ongitude")
  /// Sentences that receivers send (NMEA 0183).
  private static let fix = number("gpgga")
  private static let minimum = number("gprmc")

  private static func number(_ letters: String) -> UInt64 {
    letters.utf8.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
