import CaptureKitLinux
import ExampleSupport

/// `snap controls`: lists and sets a camera's controls.
enum ControlsCommand {
  static let help = """
    Usage: snap controls [--set NAME=VALUE]… [--camera ID] [--simulated]
                         [--require-camera]

    Lists a camera's controls, one a line: name, kind, what it takes, value, flags.
    With --set the controls are set, in the order that they need, and listed.

      --set NAME=VALUE   NAME as in the list, or a number as 0x009a0902; VALUE a
                         number, on or off, or an item of the menu; of a button
                         anything
      --camera ID        an id of `snap devices`, or any node's path
      --simulated        the simulated camera instead of a real one
      --require-camera   fails where there is no camera
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(
      arguments, flags: CameraWish.flags, valued: CameraWish.valued.union(["--set"]))
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let wishes = try options.texts("--set").map(ControlWish.init)
    let camera = try await CameraWish(options).camera()
    var controls = try camera.loadControls()
    if !wishes.isEmpty {
      let settings = try wishes.map { try $0.setting(among: controls) }
      try camera.lockForConfiguration()
      defer { camera.unlockForConfiguration() }
      try camera.setValues(settings)
      let ids = Set(settings.map(\.id))
      controls = try camera.loadControls().filter { ids.contains($0.id) }
    }
    if controls.isEmpty { say("\(camera.localizedName) has no controls.") }
    let values = try camera.values(of: controls.filter(\.isReadable).map(\.id))
    for control in controls { print(line(control, values[control.id])) }
  }

  private static func line(
    _ control: CaptureControl, _ value: CaptureControl.Value?
  ) -> String {
    var words = [
      ControlWish.name(of: control).padded(to: 32), control.kind.rawValue.padded(to: 12),
    ]
    switch control.kind {
    case .button, .compound: break
    case .menu, .integerMenu:
      let items = control.menu.map { "\($0.index): \($0.name)" }
      words.append("[\(items.joined(separator: ", "))]")
    case .bitmask: words.append("0x0...0x\(String(control.range.upperBound, radix: 16))")
    case .string: words.append("\(control.range.lowerBound)...\(control.range.upperBound) bytes")
    default:
      words.append("\(control.range.lowerBound)...\(control.range.upperBound)")
      if control.step != 1 { words.append("step \(control.step)") }
    }
    if let usual = control.defaultValue { words.append("default \(usual)") }
    if let value { words.append("value \(value)") }
    let flags = names(of: control.flags)
    if !flags.isEmpty { words.append("(\(flags.joined(separator: ", ")))") }
    return words.joined(separator: " ")
  }

  private static func names(of flags: CaptureControl.Flags) -> [String] {
    let names: [(CaptureControl.Flags, String)] = [
      (.disabled, "disabled"), (.grabbed, "grabbed"), (.readOnly, "read-only"),
      (.writeOnly, "write-only"), (.inactive, "inactive"), (.volatile, "volatile"),
      (.update, "update"), (.executeOnWrite, "execute-on-write"),
      (.modifiesLayout, "modifies-layout"),
    ]
    return names.filter { flags.contains($0.0) }.map(\.1)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
