import Foundation

extension Benchmark {
  /// From opening the page to 10 000 items that can be used, in Chromium.
  static let page10k = Benchmark(name: "page-10k", usualRounds: 7) { rounds in
    try pages("open", rounds, limit: 1000)
  }

  /// From a change in one tab to what the other one shows.
  static let tabSync = Benchmark(name: "tab-sync", usualRounds: 15) { rounds in
    try pages("sync", rounds, limit: 100)
  }

  private static func pages(
    _ what: String, _ rounds: Int, limit: Double
  ) throws -> Measurement {
    _ = try Program.installed("chromedriver", packages: "chromium chromium-driver")
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../page-times").standardized.path
    let lines = try Program.output(
      of: [script, try Program.example("lootlogger"), what, "\(rounds)"])
    let times = lines.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard times.count == rounds else {
      throw BenchmarkFailure(description: "page-times says \(lines)")
    }
    var pair = Pair()
    for time in times {
      pair.ours.append(time)
      pair.base.append(limit)
    }
    return Measurement(
      pair: pair, unit: "ms", baseName: "a budget of \(Int(limit)) ms, with 10 000 items",
      limit: 1)
  }
}
