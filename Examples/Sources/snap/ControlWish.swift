import CaptureKitLinux
import ExampleSupport

/// A `NAME=VALUE` of the command line.
struct ControlWish {
  private let name: String
  private let value: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw Failure(.usage, "--set \(text) is wrong: it has to be NAME=VALUE, as gain=20.")
    }
    (name, value) = (String(parts[0]), String(parts[1]))
  }

  /// A control's name as a word: small letters and digits, all else underscores.
  static func name(of control: CaptureControl) -> String {
    word(control.name)
  }

  private static func word(_ text: String) -> String {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
  }

  /// What it means to a camera with these controls.
  func setting(among controls: [CaptureControl]) throws -> CaptureControl.Setting {
    let number = name.hasPrefix("0x") ? UInt32(name.dropFirst(2), radix: 16) : nil
    let control = controls.first {
      number.map(CaptureControl.ID.init) == $0.id || Self.name(of: $0) == Self.word(name)
    }
    guard let control else {
      throw Failure(.unavailable, "The camera has no control \(name): see `snap controls`.")
    }
    return CaptureControl.Setting(control.id, try value(for: control))
  }

  private func value(for control: CaptureControl) throws -> CaptureControl.Value {
    if control.kind == .string { return .text(value) }
    if control.kind == .button { return 0 }
    if let number = Int64(value) { return .integer(number) }
    if value.hasPrefix("0x"), let bits = Int64(value.dropFirst(2), radix: 16) {
      return .integer(bits)
    }
    if let item = control.menu.first(where: { Self.word($0.name) == Self.word(value) }) {
      return .integer(item.index)
    }
    switch value.lowercased() {
    case "on", "yes", "true": return true
    case "off", "no", "false": return false
    default:
      throw Failure(
        .usage, "--set \(name)=\(value) is wrong: the value is neither a number nor a word of it.")
    }
  }
}
