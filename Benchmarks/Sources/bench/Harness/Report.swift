import Foundation

/// Prints measurements: a table for people, or a JSON object a line.
struct Report {
  let asJSON: Bool

  func begin() {
    guard !asJSON else { return }
    say(
      Self.row(
        "name", "ours", "base", "unit", "ratio", "limit", "p10–p90", "verdict", "base is"))
  }

  func add(_ name: String, _ measurement: Measurement) {
    if asJSON {
      say(Self.json(name, measurement))
    } else {
      let pair = measurement.pair
      let ratios = pair.ratios
      say(
        Self.row(
          name, Self.figure(pair.ours.median), Self.figure(pair.base.median), measurement.unit,
          Self.figure(ratios.median), Self.figure(measurement.limit),
          "\(Self.figure(ratios.percentile(10)))–\(Self.figure(ratios.percentile(90)))",
          measurement.passes ? "pass" : "MISS", measurement.baseName))
    }
    for line in measurement.notes + measurement.failures { aside(line) }
  }

  /// A row without figures: `verdict` says that there are none, the reason says why.
  func add(_ name: String, _ verdict: String, _ reason: any Error) {
    if !asJSON { say(Self.row(name, "–", "–", "", "–", "–", "–", verdict, "")) }
    aside("\(name): \(reason)")
  }

  /// A line that belongs to the row above; beside the JSON, not in it.
  private func aside(_ line: String) {
    if asJSON {
      FileHandle.standardError.write(Data((line + "\n").utf8))
    } else {
      say("    " + line)
    }
  }

  /// At once, even into a pipe: some rows take long.
  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  // MARK: - Text

  /// Three significant digits, as far as they say anything.
  private static func figure(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", value)
  }

  private static func row(_ cells: String...) -> String {
    let widths = [16, 9, 9, 6, 7, 6, 13, 8, 0]
    return zip(cells, widths).enumerated().map { index, cell in
      let (text, width) = cell
      let blanks = String(repeating: " ", count: max(0, width - text.count))
      return (1...5).contains(index) && index != 3 ? blanks + text : text + blanks
    }.joined(separator: "  ")
  }

  private static func json(_ name: String, _ measurement: Measurement) -> String {
    let numbers: [(String, Double)] = [
      ("ours", measurement.pair.ours.median), ("base", measurement.pair.base.median),
    ]
    let figures = numbers.map { "\"\($0.0)\":\(number($0.1))" }.joined(separator: ",")
    return "{\"name\":\(quoted(name)),\(figures),\"baseName\":\(quoted(measurement.baseName)),"
      + "\"unit\":\(quoted(measurement.unit)),\"ratio\":\(number(measurement.pair.ratios.median)),"
      + "\"limit\":\(number(measurement.limit))}"
  }

  private static func number(_ value: Double) -> String {
    value.isFinite ? String(format: "%.6g", value) : "null"
  }

  /// Our names hold neither quotes nor control characters; what could is escaped all the same.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 0x20: String(format: "\\u%04x", scalar.value)
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
