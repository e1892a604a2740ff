import CaptureKitLinux
import Testing

/// The controls of vivid, which has every kind.
@Suite(.inLab(.single, .multiplanar), .timeLimit(.minutes(2)))
struct VividControlLabTests {
  private func device() throws -> CaptureDevice {
    try #require(CaptureDevice.default(for: .video))
  }

  @Test func listsEveryKind() throws {
    let controls = try device().loadControls()
    #expect(Set(controls.map(\.kind)) == Set(CaptureControl.Kind.allCases))
    #expect(controls.allSatisfy { !$0.name.isEmpty && !$0.name.contains("\n") })
    let menu = try #require(controls.first { $0.name == "Menu" })
    #expect(menu.menu.count < Int(menu.range.upperBound - menu.range.lowerBound) + 1)
    let values = try device().values()
    #expect(values.count == controls.filter(\.isReadable).count)
  }

  @Test func setsEveryKind() throws {
    let device = try device()
    let controls = try device.loadControls()
    func named(_ name: String) throws -> CaptureControl {
      try #require(controls.first { $0.name == name }, "\(name)")
    }
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    let settings = try [
      CaptureControl.Setting(named("Integer 64 Bits").id, .integer(-5_000_000_000)),
      CaptureControl.Setting(named("Integer 32 Bits").id, -7),
      CaptureControl.Setting(named("Boolean").id, false),
      CaptureControl.Setting(named("Menu").id, 3),
      CaptureControl.Setting(named("String").id, "kit"),
      CaptureControl.Setting(named("Bitmask").id, 0x8000_0000),
      CaptureControl.Setting(named("Integer Menu").id, 5),
      CaptureControl.Setting(named("Button").id, 0),
    ]
    let before = try device.values(of: settings.map(\.id))
    try device.setValues(settings)
    let after = try device.values(of: settings.map(\.id))
    // The last one, the button, has no value.
    for setting in settings.dropLast() {
      #expect(after[setting.id] == setting.value, "\(setting)")
    }
    try device.setValues(before.map { CaptureControl.Setting($0.key, $0.value) })
  }

  @Test func tellsOfChanges() async throws {
    let device = try device()
    var changes = try device.controlChanges().makeAsyncIterator()
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    try device.setValue(99, for: .brightness)
    var change = await changes.next()
    while change?.id != .brightness { change = await changes.next() }
    #expect(change?.value == 99)
    try device.setValue(128, for: .brightness)
  }

  @Test func freesTheGain() throws {
    let device = try device()
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    try device.setValue(true, for: .automaticGain)
    try device.setValue(77, for: .gain)
    #expect(try device.value(of: .automaticGain) == false)
    #expect(try device.value(of: .gain) == 77)
  }
}
