import Foundation

/// Dates as movie files write them; pure.
enum MovieDate {
  /// More than any date has.
  private static let longest = 64

  /// Reads a date of ISO 8601, as libavformat hands out those of files.
  ///
  /// - Parameters:
  ///   - text: `2026-12-01T09:30:15.25Z`: with or without a fraction of the second; `T` may be a
  ///     space; the zone may be `+0100` or `+01:00`.
  ///   - zone: Where the clock was that a text without a zone was read off.
  /// - Returns: nil for what is no date, and up to the begin of 1970: so say clocks that nobody has
  ///   set, and files whose field is empty.
  static func date(_ text: String, in zone: TimeZone = .current) -> Date? {
    guard text.utf8.count <= longest else { return nil }
    var rest = Substring(text)
    guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"),
      let day = rest.number(2), rest.skip("T") || rest.skip(" "), let hour = rest.number(2),
      rest.skip(":"), let minute = rest.number(2), rest.skip(":"), let second = rest.number(2),
      let fraction = rest.fraction(), hour < 24, minute < 60, second <= 60
    else { return nil }
    var parts = DateComponents(
      year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59))
    guard let offset = rest.offset() else { return nil }
    switch offset {
    case .none: parts.timeZone = zone
    case .seconds(let seconds): parts.timeZone = TimeZone(secondsFromGMT: seconds)
    }
    // The 31st of February would become one of March.
    guard parts.timeZone != nil, let whole = Calendar(identifier: .gregorian).date(from: parts),
      (1...12).contains(month), day >= 1, day <= lastDay(of: month, year)
    else { return nil }
    let date = whole.addingTimeInterval(fraction)
    return date.timeIntervalSince1970 > 0 ? date : nil
  }

  /// Writes a date so that libavformat reads it, to the millisecond; nil before 1970 and behind
  /// the year 9999.
  static func text(_ date: Date) -> String? {
    guard (0..<253_402_300_799).contains(date.timeIntervalSince1970) else { return nil }
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  private static func lastDay(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// What stands at the end of a date.
private enum ZoneOffset {
  case none
  case seconds(Int)
}

extension Substring {
  fileprivate mutating func skip(_ character: Character) -> Bool {
    guard first == character else { return false }
    removeFirst()
    return true
  }

  /// Takes so many digits.
  fileprivate mutating func number(_ count: Int) -> Int? {
    let digits = prefix(count)
    guard digits.utf8.count == count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    removeFirst(count)
    return Int(digits)
  }

  /// Takes a part of a second, which need not be there.
  fileprivate mutating func fraction() -> Double? {
    guard skip(".") else { return 0 }
    let digits = prefix { $0.isASCII && $0.isNumber }
    removeFirst(digits.count)
    return digits.isEmpty ? nil : Double("0." + digits)
  }

  /// Takes all that is left.
  fileprivate mutating func offset() -> ZoneOffset? {
    if isEmpty { return ZoneOffset.none }
    if self == "Z" { return .seconds(0) }
    let isWest = first == "-"
    guard skip("+") || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    let minutes = isEmpty ? 0 : number(2)
    guard let minutes, isEmpty, hours <= 18, minutes < 60 else { return nil }
    return .seconds((isWest ? -1 : 1) * (hours * 3600 + minutes * 60))
  }
}
