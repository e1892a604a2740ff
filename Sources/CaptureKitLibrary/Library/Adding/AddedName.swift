import Foundation

/// Names of files that are added: `IMG_20261201_093015.jpg`, then `IMG_20261201_093015-1.jpg`.
struct AddedName {
  private let stem: String
  private let ending: String
  /// More in one second are of no use to anybody.
  private static let limit = 100_000

  /// - Parameters:
  ///   - prefix: `IMG` or `VID`.
  ///   - date: When it was taken.
  ///   - secondsFromGMT: The zone of the clock on the wall there; nil for this machine's.
  ///   - fileExtension: Without the dot; empty for none.
  init(_ prefix: String, _ date: Date, secondsFromGMT: Int? = nil, fileExtension: String) {
    stem = "\(prefix)_\(Self.text(date, secondsFromGMT))"
    ending = fileExtension.isEmpty ? "" : "." + fileExtension
  }

  /// The best one first.
  var candidates: some Sequence<String> {
    (0..<Self.limit).lazy.map { stem + ($0 == 0 ? "" : "-\($0)") + ending }
  }

  private static func text(_ date: Date, _ secondsFromGMT: Int?) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    var moment = time_t(exactly: seconds) ?? 0
    var parts = tm()
    if let secondsFromGMT {
      let (sum, isTooMuch) = moment.addingReportingOverflow(secondsFromGMT)
      moment = isTooMuch ? moment : sum
      gmtime_r(&moment, &parts)
    } else {
      localtime_r(&moment, &parts)
    }
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (year, isTooMuch) = parts.tm_year.addingReportingOverflow(1900)
    return digits(isTooMuch ? 0 : year, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2)
      + "_" + digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2)
  }
}
