import CaptureKitLinux

/// The controls of a simulated camera: a state machine that answers as a driver does.
struct MockControls: Sendable {
  /// As the test has described them.
  private let described: [CaptureControl]
  private(set) var values: [CaptureControl.ID: CaptureControl.Value] = [:]
  /// What was set, in order.
  private(set) var settings: [CaptureControl.Setting] = []
  private var watchers: [AsyncStream<CaptureControlChange>.Continuation] = []

  init(_ controls: [CaptureControl]) {
    described = controls
    for control in controls where control.isReadable {
      values[control.id] = control.defaultValue.map { .integer($0) } ?? control.firstValue
    }
  }

  /// The controls as they are now: those that an automatic one governs are inactive.
  var list: [CaptureControl] {
    described.map { control in
      switch isGoverned(control.id) {
      case nil: control
      case true?: control.with(control.flags.union(.inactive))
      case false?: control.with(control.flags.subtracting(.inactive))
      }
    }
  }

  /// How much light a frame gets, beside what it gets with automatic exposure.
  var light: Double {
    guard isOff(.automaticExposure, at: 1),
      let time = number(.exposureTime),
      let usual = described.first(where: { $0.id == .exposureTime })?.defaultValue, usual > 0
    else { return 1 }
    return Double(time) / Double(usual)
  }

  /// What is known of a frame's exposure: its time, where that is set by hand. The gain has no unit.
  var frameSettings: FrameSettings? {
    guard isOff(.automaticExposure, at: 1) || !has(.automaticExposure),
      let time = number(.exposureTime)
    else { return nil }
    return FrameSettings(exposureDuration: .microseconds(100) * time)
  }

  func control(_ id: CaptureControl.ID) -> CaptureControl? { list.first { $0.id == id } }

  /// Sets what the camera lets set, up to the first that it does not.
  mutating func set(
    _ wishes: [CaptureControl.Setting], refusals: [CaptureControl.ID: CaptureError], camera: String
  ) throws(CaptureError) {
    for wish in wishes {
      if let refusal = refusals[wish.id] { throw refusal }
      guard let control = control(wish.id) else {
        throw CaptureError(.unsupportedControl, "\(camera) has no control \(wish.id).", errno: 22)
      }
      guard control.isWritable, control.flags.isDisjoint(with: [.inactive, .grabbed]) else {
        throw CaptureError(
          .controlNotWritable, "“\(control.name)” of \(camera) cannot be set now.", errno: 13)
      }
      guard control.accepts(wish.value) else {
        throw CaptureError(
          .invalidControlValue, "“\(control.name)” of \(camera) does not take \(wish.value).",
          errno: 34)
      }
      settings.append(wish)
      if control.kind != .button { change(wish.id, to: wish.value) }
    }
  }

  /// Gives a control a value, whoever has chosen it, and tells the watchers.
  mutating func change(_ id: CaptureControl.ID, to value: CaptureControl.Value) {
    let before = list
    guard values[id] != value else { return }
    values[id] = value
    for (old, new) in zip(before, list) where old.flags != new.flags || new.id == id {
      let isValue = new.id == id
      tell(
        CaptureControlChange(
          new.id, value: isValue ? value : nil, descriptionChanged: old.flags != new.flags,
          flags: new.flags))
    }
  }

  mutating func watch() -> AsyncStream<CaptureControlChange> {
    let (changes, watcher) = AsyncStream<CaptureControlChange>.makeStream(
      bufferingPolicy: .bufferingNewest(256))
    watchers.append(watcher)
    return changes
  }

  /// The camera is gone.
  mutating func endWatching() {
    for watcher in watchers { watcher.finish() }
    watchers = []
  }

  /// Nothing is called back by it: a watcher that has ended is found out by its answer.
  private mutating func tell(_ change: CaptureControlChange) {
    watchers.removeAll { watcher in
      if case .terminated = watcher.yield(change) { true } else { false }
    }
  }

  /// Nil where nothing governs it.
  private func isGoverned(_ id: CaptureControl.ID) -> Bool? {
    switch id {
    case .exposureTime where has(.automaticExposure): !isOff(.automaticExposure, at: 1)
    case .focus where has(.automaticFocus): !isOff(.automaticFocus, at: 0)
    case .whiteBalanceTemperature where has(.automaticWhiteBalance):
      !isOff(.automaticWhiteBalance, at: 0)
    default: nil
    }
  }

  private func has(_ id: CaptureControl.ID) -> Bool { described.contains { $0.id == id } }
  private func isOff(_ id: CaptureControl.ID, at value: Int64) -> Bool { number(id) == value }
  private func number(_ id: CaptureControl.ID) -> Int64? { values[id]?.number }
}

extension CaptureControl {
  fileprivate var firstValue: Value {
    kind == .string ? .text("") : .integer(kind == .bitmask ? 0 : range.lowerBound)
  }

  fileprivate func with(_ flags: Flags) -> CaptureControl {
    CaptureControl(
      id, name: name, kind: kind, range: range, step: step, defaultValue: defaultValue, menu: menu,
      flags: flags)
  }
}
