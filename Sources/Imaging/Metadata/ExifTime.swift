import Foundation
import Glibc

/// A moment as EXIF writes it: the clock on the wall, its fraction, and its zone.
struct ExifTime: Hashable {
  /// `"2026:11:30 09:41:00"`.
  let text: String
  /// Digits after the decimal point without trailing zeros; empty for none.
  let subseconds: String
  /// `"+02:00"`.
  let offset: String

  /// Writes a moment; nil for years that four digits do not hold.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - secondsFromGMT: The zone, in whole minutes, less than a day; nil for this machine's.
  init?(_ date: Date, secondsFromGMT: Int?) {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let microseconds = Int((seconds * 1e6).rounded())
    let (second, fraction) = microseconds.quotientAndModulus(1_000_000)
    let zone = secondsFromGMT ?? Self.localZone(at: second)
    guard (-86_399...86_399).contains(zone) else { return nil }
    let minutes = zone / 60
    var wall = time_t(second + minutes * 60)
    var parts = tm()
    guard gmtime_r(&wall, &parts) != nil, (-1899...8099).contains(parts.tm_year) else { return nil }
    var digits = Digits()
    digits.append(Int(parts.tm_year) + 1900, count: 4, then: ":")
    digits.append(Int(parts.tm_mon) + 1, count: 2, then: ":")
    digits.append(Int(parts.tm_mday), count: 2, then: " ")
    digits.append(Int(parts.tm_hour), count: 2, then: ":")
    digits.append(Int(parts.tm_min), count: 2, then: ":")
    digits.append(Int(parts.tm_sec), count: 2)
    text = digits.text
    digits = Digits()
    if fraction != 0 { digits.append(fraction, count: 6) }
    subseconds = digits.textWithoutZerosAtTheEnd
    digits = Digits(minutes < 0 ? "-" : "+")
    digits.append(abs(minutes) / 60, count: 2, then: ":")
    digits.append(abs(minutes) % 60, count: 2)
    offset = digits.text
  }

  /// Reads a moment; nil where the text is no date.
  ///
  /// - Parameters:
  ///   - text: Date and time; blanks and zeros, as cameras without a clock write, are no date.
  ///   - subseconds: Digits after the decimal point.
  ///   - secondsFromGMT: The zone; nil for this machine's.
  /// - Returns: The moment.
  static func date(_ text: String, subseconds: String?, secondsFromGMT: Int?) -> Date? {
    let characters = Array(text.utf8)
    guard characters.count >= 19 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      characters[range].reduce(0 as Int?) { number, digit in
        guard let number, (0x30...0x39).contains(digit) else { return nil }
        return number * 10 + Int(digit) - 0x30
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      year > 0, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(second)
    parts.tm_isdst = -1
    let moment = secondsFromGMT.map { timegm(&parts) - $0 } ?? mktime(&parts)
    let digits = subseconds?.prefix { $0.isASCII && $0.isNumber } ?? ""
    let fraction = digits.isEmpty ? 0 : Double("0." + digits) ?? 0
    return Date(timeIntervalSince1970: Double(moment) + fraction)
  }

  /// Reads a day in Greenwich, with hours, minutes and seconds as fractions.
  static func date(_ day: String, timeOfDay: [ImageMetadata.Fraction]) -> Date? {
    guard let midnight = date(day + " 00:00:00", subseconds: nil, secondsFromGMT: 0) else {
      return nil
    }
    let parts = timeOfDay.compactMap(\.value)
    guard parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] < 61 else { return nil }
    return midnight.addingTimeInterval(parts[0] * 3600 + parts[1] * 60 + parts[2])
  }

  /// Reads `"+02:00"`; nil for anything else.
  static func secondsFromGMT(_ text: String) -> Int? {
    // Bytes: characters would take longer to tell apart than all else takes to read.
    let parts = text.utf8.dropFirst().split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    func number(_ digits: Substring.UTF8View) -> Int? {
      guard (1...2).contains(digits.count) else { return nil }
      return digits.reduce(0 as Int?) { number, digit in
        guard let number, (0x30...0x39).contains(digit) else { return nil }
        return number * 10 + Int(digit) - 0x30
      }
    }
    let isWest = text.utf8.first == UInt8(ascii: "-")
    guard isWest || text.utf8.first == UInt8(ascii: "+"), parts.count == 2,
      let hours = number(parts[0]), let minutes = number(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// This machine's zone at a moment. The C library's: Foundation's takes longer to load than the
  /// whole photo takes.
  private static func localZone(at second: Int) -> Int {
    var moment = time_t(second)
    var parts = tm()
    return localtime_r(&moment, &parts) == nil ? 0 : parts.tm_gmtoff
  }
}

/// A short text made of numbers, in place: formatting a photo's date must not take longer than
/// copying the photo.
private struct Digits {
  private var characters = InlineArray<20, UInt8>(repeating: 0)
  private var count = 0

  init() {}

  init(_ sign: Unicode.Scalar) { append(sign) }

  private mutating func append(_ character: Unicode.Scalar) {
    characters[count] = UInt8(ascii: character)
    count += 1
  }

  /// Appends a number with zeros before it, and what follows it.
  mutating func append(_ value: Int, count digits: Int, then separator: Unicode.Scalar? = nil) {
    var rest = value
    for place in (count..<count + digits).reversed() {
      characters[place] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
    count += digits
    if let separator { append(separator) }
  }

  var text: String {
    String(unsafeUninitializedCapacity: count) { bytes in
      for place in 0..<count { bytes[place] = characters[place] }
      return count
    }
  }

  var textWithoutZerosAtTheEnd: String {
    var short = self
    while short.count > 0, characters[short.count - 1] == 0x30 { short.count -= 1 }
    return short.text
  }
}

extension Int {
  /// Quotient and remainder with a remainder that is never negative.
  fileprivate func quotientAndModulus(_ divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
