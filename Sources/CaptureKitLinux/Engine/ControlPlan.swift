/// The order in which controls are set, and what cannot be set at all; a pure decision.
///
/// Governors come first, so that what they govern is free when it is set. A governor that nobody
/// mentions is switched off where it has to be.
struct ControlPlan: Sendable {
  struct Refusal: Sendable {
    let setting: CaptureControl.Setting
    let error: CaptureError
  }

  /// Governors that were not asked for and have to be switched off.
  private(set) var implied: [CaptureControl.Setting] = []
  /// Governors that were asked for.
  private(set) var governors: [CaptureControl.Setting] = []
  /// Everything else.
  private(set) var others: [CaptureControl.Setting] = []
  private(set) var refusals: [Refusal] = []

  /// What to set, one step after the other.
  var stages: [[CaptureControl.Setting]] {
    [implied + governors, others].filter { !$0.isEmpty }
  }

  /// The controls that must be known to make a plan for some of them.
  static func relevant(for ids: [CaptureControl.ID]) -> Set<CaptureControl.ID> {
    Set(ids).union(ids.flatMap(ControlGovernor.governing).map(\.id))
  }

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - settings: What is wished for; of a control that is named twice the last counts.
  ///   - controls: Those of ``relevant(for:)`` that the camera has, as they are now.
  ///   - values: The governors' values, where they can be read.
  ///   - camera: Its name, for sentences.
  init(
    _ settings: [CaptureControl.Setting], controls: [CaptureControl.ID: CaptureControl],
    values: [CaptureControl.ID: Int64], camera: String
  ) {
    var lastIndex: [CaptureControl.ID: Int] = [:]
    for (index, setting) in settings.enumerated() { lastIndex[setting.id] = index }
    let settings = settings.enumerated().filter { lastIndex[$1.id] == $0 }.map(\.element)
    let wished = Dictionary(settings.map { ($0.id, $0.value.number) }) { $1 }
    for setting in settings {
      do throws(CaptureError) {
        guard let control = controls[setting.id] else { throw .noControl(setting.id, of: camera) }
        let value = try control.checked(setting.value, of: camera)
        for governor in ControlGovernor.governing(control.id) {
          try free(control, from: governor, controls, values, wished: wished, camera: camera)
        }
        try refuseStillInactive(control, wished: wished, camera: camera)
        let checked = CaptureControl.Setting(setting.id, value)
        if ControlGovernor.isGovernor(setting.id) {
          governors.append(checked)
        } else {
          others.append(checked)
        }
      } catch {
        refusals.append(Refusal(setting: setting, error: error))
      }
    }
  }

  /// Makes sure that a governor leaves a control alone.
  private mutating func free(
    _ control: CaptureControl, from governor: ControlGovernor,
    _ controls: [CaptureControl.ID: CaptureControl], _ values: [CaptureControl.ID: Int64],
    wished: [CaptureControl.ID: Int64?], camera: String
  ) throws(CaptureError) {
    guard let governing = controls[governor.id] else { return }
    if let wish = wished[governor.id] {
      guard let wish, !governor.freeingValues.contains(wish), governor.isCertain else { return }
      throw CaptureError(
        .controlNotWritable,
        "“\(control.name)” of \(camera) cannot be set together with “\(governing.name)” \(wish), "
          + "which governs it: choose one of them.")
    }
    guard governor.governs(control, at: values[governor.id]),
      !implied.contains(where: { $0.id == governor.id })
    else { return }
    let free = governor.freeingValues.first { governing.accepts(.integer($0)) }
    guard let free, governing.isWritable, !governing.flags.contains(.grabbed) else {
      throw CaptureError(
        .controlNotWritable,
        "“\(control.name)” of \(camera) cannot be set: “\(governing.name)” governs it and cannot be "
          + "switched off.")
    }
    implied.append(CaptureControl.Setting(governor.id, .integer(free)))
  }

  /// A driver says that it is governed, and nothing that will be switched is known to govern it.
  private func refuseStillInactive(
    _ control: CaptureControl, wished: [CaptureControl.ID: Int64?], camera: String
  ) throws(CaptureError) {
    guard control.flags.contains(.inactive) else { return }
    let governors = ControlGovernor.governing(control.id).map(\.id)
    let isFreed = governors.contains { id in
      wished[id] != nil || implied.contains { $0.id == id }
    }
    guard !isFreed else { return }
    throw CaptureError(
      .controlNotWritable,
      "“\(control.name)” of \(camera) is inactive: another control governs it; set that one first.")
  }
}

// MARK: - One control

extension CaptureControl {
  /// The value that is set for a wish: numbers between two steps go to the nearer one.
  func checked(_ wish: Value, of camera: String) throws(CaptureError) -> Value {
    guard isWritable else {
      let what = flags.contains(.readOnly) ? "can only be read" : "cannot be set"
      throw CaptureError(.controlNotWritable, "“\(name)” of \(camera) \(what).")
    }
    guard !flags.contains(.grabbed) else {
      throw CaptureError(
        .controlNotWritable,
        "“\(name)” of \(camera) is held at the moment: stop the camera's stream and set it again.")
    }
    if accepts(wish) { return wish }
    if case .integer(let number) = wish, kind == .integer || kind == .integer64,
      range.contains(number)
    {
      return .integer(nearest(to: number))
    }
    throw CaptureError(
      .invalidControlValue, "“\(name)” of \(camera) takes \(allowed), not \(wish).")
  }

  /// What values there are, for sentences.
  private var allowed: String {
    switch kind {
    case .boolean: "0 or 1"
    case .menu, .integerMenu:
      menu.isEmpty
        ? "no value at all" : menu.map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
    case .bitmask: "bits of 0x\(String(range.upperBound, radix: 16))"
    case .string: "text of \(range.lowerBound) to \(range.upperBound) bytes"
    default: "numbers from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}

extension CaptureError {
  static func noControl(_ id: CaptureControl.ID, of camera: String) -> CaptureError {
    CaptureError(
      .unsupportedControl, "\(camera) has no control \(id): look at the list of its controls.")
  }
}
