import Foundation

/// How the dates of a JSON file are written, by the names of `JSONEncoder`'s strategies.
///
/// A file does not say it. It is told apart by this rule: texts are ISO 8601. Numbers are what
/// makes all dates of the file fall between the beginning of 2001 and now, with a day more for
/// clocks that differ. Where two ways do, or none, opening the file is an error that says so, and
/// the caller can name the way.
public enum ItemDates: Hashable, Sendable, CaseIterable {
  /// Seconds since 2001-01-01, which `JSONEncoder` writes unless told otherwise.
  case deferredToDate
  /// Seconds since 1970-01-01.
  case secondsSince1970
  /// Milliseconds since 1970-01-01.
  case millisecondsSince1970
  /// Text such as `2024-05-01T10:00:00Z`, also with a fraction of a second.
  case iso8601

  /// The date that a value stands for, and nil where it is none. Without a way of writing, only a
  /// value of the type date is one, as in property lists.
  static func date(of value: ItemValue, written dates: ItemDates?) -> Date? {
    switch (dates, value) {
    case (nil, .date(let date)): date
    case (.deferredToDate, _):
      value.seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
    case (.secondsSince1970, _): value.seconds.map { Date(timeIntervalSince1970: $0) }
    case (.millisecondsSince1970, _):
      value.seconds.map { Date(timeIntervalSince1970: $0 / 1000) }
    case (.iso8601, .text(let text)): ISODate.date(text)
    default: nil
    }
  }

  /// All ways to read these dates that the rule allows.
  static func candidates(for values: [ItemValue], now: Date) -> [ItemDates] {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    // A computer without a clock of its own begins in 1970.
    let range = start...(max(now, start) + 86_400)
    return allCases.filter { dates in
      values.allSatisfy { value in
        guard let date = date(of: value, written: dates) else { return false }
        return dates == .iso8601 || range.contains(date)
      }
    }
  }
}

extension ItemValue {
  fileprivate var seconds: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}

/// Dates as text that keeps their fractions of a second.
enum ISODate {
  /// Dates that calendars agree on and four digits name, in seconds since 2001: from 1600 to 9999.
  private static let range = -12_622_780_800.0..<252_455_616_000.0

  /// Foundation's parser rounds fractions, so they are read here.
  static func date(_ text: String) -> Date? {
    // What ``text(_:)`` writes for dates beyond the calendar.
    if let seconds = Double(text), !range.contains(seconds), seconds.isFinite {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    guard let point = text.firstIndex(where: { $0 == "." || $0 == "," }) else {
      return try? Date(text, strategy: .iso8601)
    }
    let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let fraction = Double("0." + digits),
      let whole = try? Date(text[..<point] + text[digits.endIndex...], strategy: .iso8601)
    else { return nil }
    return whole + fraction
  }

  /// With nine digits of the second where they are not all 0: more than a date of our time has.
  /// Dates beyond the calendar, which only damage makes, are seconds since 2001.
  static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard range.contains(seconds) else { return "\(seconds)" }
    var whole = seconds.rounded(.down)
    var nanoseconds = Int(((seconds - whole) * 1e9).rounded())
    if nanoseconds == 1_000_000_000 { (whole, nanoseconds) = (whole + 1, 0) }
    let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    guard nanoseconds > 0 else { return text }
    let digits = String(1_000_000_000 + nanoseconds).dropFirst()
    let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return "\(text.dropLast()).\(digits[...end])Z"
  }
}
