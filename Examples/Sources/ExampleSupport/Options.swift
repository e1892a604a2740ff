/// The options and operands of a command line.
///
/// An option is a flag, or takes a value: `--size 640x480` or `--size=640x480`. Of an
/// option that is given twice the last counts, unless all are asked for. `--` ends the options.
public struct Options {
  /// What is no option, in order.
  public private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's or the subcommand's name.
  ///   - flags: The options without a value; `--help` and `-h` always are.
  ///   - valued: The options with a value.
  /// - Throws: A ``Failure`` with the status `usage`.
  public init(_ arguments: [String], flags: Set<String>, valued: Set<String> = []) throws {
    let flags = flags.union(["--help", "-h"])
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      if word == "--" {
        operands += rest
        return
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if valued.contains(name) {
        let value = parts.count == 2 ? String(parts[1]) : rest.popFirst()
        guard let value, !value.isEmpty, parts.count == 2 || !value.hasPrefix("--") else {
          throw Failure(.usage, "\(name) needs a value: see --help.")
        }
        values[name, default: []].append(value)
      } else if flags.contains(name), parts.count == 1 {
        values[name] = [""]
      } else {
        throw Failure(.usage, "There is no option \(word): see --help.")
      }
    }
  }

  /// Whether help was asked for.
  public var wantsHelp: Bool { has("--help") || has("-h") }

  /// Whether an option was given.
  public func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option, as it was written.
  public func text(_ name: String) -> String? { values[name]?.last }

  /// The values of an option that may be given several times, in order.
  public func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option.
  ///
  /// - Parameters:
  ///   - name: The option.
  ///   - expected: What the value has to be, for the sentence of the error.
  ///   - parse: Reads the value; nil where it is wrong.
  /// - Returns: nil where the option was not given.
  /// - Throws: A ``Failure`` with the status `usage`.
  public func value<Value>(
    _ name: String, expected: String, _ parse: (String) -> Value?
  ) throws -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = parse(text) else {
      throw Failure(.usage, "\(name) \(text) is wrong: it has to be \(expected).")
    }
    return value
  }

  /// Makes sure that there are as many operands as there should be.
  ///
  /// - Throws: A ``Failure`` with the status `usage`.
  public func requireOperands(_ count: Int) throws {
    guard operands.count > count else {
      guard operands.count == count else {
        throw Failure(.usage, "Something is missing on the command line: see --help.")
      }
      return
    }
    throw Failure(.usage, "\(operands[count]) is one word too many: see --help.")
  }
}
