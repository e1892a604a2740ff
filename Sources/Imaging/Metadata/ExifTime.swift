import Foundation

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
    let zone = secondsFromGMT ?? TimeZone.current.secondsFromGMT(for: date)
    guard abs(zone) < 86_400 else { return nil }
    let minutes = zone / 60
    let microseconds = Int((seconds * 1e6).rounded()) + minutes * 60_000_000
    let (second, fraction) = microseconds.quotientAndModulus(1_000_000)
    let (day, secondOfDay) = second.quotientAndModulus(86_400)
    let date = CivilDate(daysSince1970: day)
    guard (1...9999).contains(date.year) else { return nil }
    text = Self.digits(
      (date.year, 4, ":"), (date.month, 2, ":"), (date.day, 2, " "), (secondOfDay / 3600, 2, ":"),
      (secondOfDay / 60 % 60, 2, ":"), (secondOfDay % 60, 2, nil))
    var subseconds = fraction == 0 ? "" : Self.digits((fraction, 6, nil))
    while subseconds.last == "0" { subseconds.removeLast() }
    self.subseconds = subseconds
    offset =
      (minutes < 0 ? "-" : "+")
      + Self.digits((abs(minutes) / 60, 2, ":"), (abs(minutes) % 60, 2, nil))
  }

  /// Numbers with zeros before them, each with its number of digits and what follows it.
  private static func digits(
    _ numbers: (value: Int, digits: Int, separator: Unicode.Scalar?)...
  ) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(20)
    for (value, digits, separator) in numbers {
      let start = text.count
      text.append(contentsOf: repeatElement(0x30, count: digits))
      var rest = value
      for place in (start..<start + digits).reversed() {
        text[place] = 0x30 + UInt8(rest % 10)
        rest /= 10
      }
      if let separator { text.append(UInt8(ascii: separator)) }
    }
    return String(decoding: text, as: UTF8.self)
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
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let wall = days * 86_400 + hour * 3600 + minute * 60 + second
    let digits = subseconds?.prefix { $0.isASCII && $0.isNumber } ?? ""
    let fraction = digits.isEmpty ? 0 : Double("0." + digits) ?? 0
    let zone = secondsFromGMT ?? Self.localZone(atWallClock: wall)
    return Date(timeIntervalSince1970: Double(wall - zone) + fraction)
  }

  /// Reads `"+02:00"`; nil for anything else.
  static func secondsFromGMT(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2,
      let hours = UInt8(parts[0]), let minutes = UInt8(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (Int(hours) * 3600 + Int(minutes) * 60)
  }

  private static func localZone(atWallClock wall: Int) -> Int {
    let zone = TimeZone.current
    let guess = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(wall)))
    return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(wall - guess)))
  }
}

extension Int {
  /// Quotient and remainder with a remainder that is never negative.
  fileprivate func quotientAndModulus(_ divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A day of the Gregorian calendar. Foundation's calendar takes longer for this than a whole photo.
private struct CivilDate {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Counts from 1 March of year 0, so that the leap day is a year's last: 400 years have 146 097 days.
  init(daysSince1970: Int) {
    let (era, dayOfEra) = (daysSince1970 + 719_468).quotientAndModulus(146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shiftedYear.quotientAndModulus(400)
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
