/// One thing that is measured against something else.
struct Benchmark: Sendable {
  /// How the command line calls it.
  let name: String
  /// Rounds that give a steady median within seconds.
  let usualRounds: Int
  /// Measures; throws where it cannot be measured here.
  let run: @Sendable (_ rounds: Int) async throws -> Measurement
}

/// What a benchmark found.
struct Measurement {
  var pair: Pair
  var unit: String
  var baseName: String
  /// The largest ratio that passes.
  var limit: Double
  /// What else is worth knowing, a line each.
  var notes: [String] = []
  /// What must hold besides the ratio and does not, a line each.
  var failures: [String] = []

  var passes: Bool { failures.isEmpty && pair.ratios.median <= limit }

  /// Notes something that must hold.
  mutating func check(_ holds: Bool, _ claim: String) {
    if holds { notes.append(claim) } else { failures.append("not so: " + claim) }
  }
}

/// Why a benchmark cannot be measured on this machine.
struct Unavailable: Error, CustomStringConvertible {
  let description: String
}

/// What went wrong in a benchmark that should have been measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
}
