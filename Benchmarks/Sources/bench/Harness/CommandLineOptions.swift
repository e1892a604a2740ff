/// What the command line asks for.
struct CommandLineOptions {
  static let usage = "usage: bench [--json] [--no-heading] [--rounds N] [NAME…]"

  var names: [String] = []
  var asJSON = false
  var hasHeading = true
  var rounds: Int?

  /// - Parameter words: The arguments without the program's name.
  /// - Throws: `UsageError`, which says what may be asked for.
  init(_ words: [String]) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": asJSON = true
      case "--no-heading": hasHeading = false
      case "--rounds":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          throw UsageError("--rounds needs a number above 0")
        }
        rounds = count
      case _ where word.hasPrefix("-"): throw UsageError("unknown option \(word)")
      default: names.append(word)
      }
    }
  }
}

extension CommandLineOptions {
  /// The words that ask for one of several benchmarks, whose heading has been printed.
  func words(for name: String) -> [String] {
    (asJSON ? ["--json"] : []) + ["--no-heading"] + (rounds.map { ["--rounds", "\($0)"] } ?? [])
      + [name]
  }
}

/// The command line makes no sense; the sentence says how it would.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ problem: String) {
    description =
      "\(problem)\n\(CommandLineOptions.usage)\n"
      + "names: \(allBenchmarks.map(\.name).joined(separator: " "))"
  }
}
