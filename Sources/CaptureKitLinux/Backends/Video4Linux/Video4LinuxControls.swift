import Video4Linux

/// The controls of one camera of the kernel, through a node of their own: whoever streams is not
/// disturbed.
final class Video4LinuxControls: CaptureControlAccess {
  private let node: VideoNode
  private let openAnother: @Sendable () throws -> VideoNode

  /// - Parameters:
  ///   - node: For these controls alone.
  ///   - openAnother: Opens the same camera again.
  init(_ node: VideoNode, openAnother: @escaping @Sendable () throws -> VideoNode) {
    self.node = node
    self.openAnother = openAnother
  }

  deinit {
    node.close()
  }

  func controls() throws -> [CaptureControl] {
    try translatingErrors { () throws(VideoNodeError) in
      try node.controls().map(CaptureControl.init)
    }
  }

  func control(_ id: CaptureControl.ID) throws -> CaptureControl? {
    try translatingErrors { () throws(VideoNodeError) in
      try node.describeControl(id.rawValue).map(CaptureControl.init)
    }
  }

  func values(
    of ids: [CaptureControl.ID]
  ) throws -> [CaptureControl.ID: Result<CaptureControl.Value, CaptureError>] {
    var results: [CaptureControl.ID: Result<CaptureControl.Value, CaptureError>] = [:]
    var readable: [Control] = []
    for id in ids {
      do throws(VideoNodeError) {
        guard let control = try node.describeControl(id.rawValue) else { continue }
        if CaptureControl(control).isReadable {
          readable.append(control)
        } else {
          results[id] = .failure(.cannotBeRead(control.name, of: node.path))
        }
      } catch {
        guard error.code != .disconnected else { throw CaptureError(error) }
        results[id] = .failure(CaptureError(error))
      }
    }
    let values = try translatingErrors { () throws(VideoNodeError) in
      try node.values(of: readable)
    }
    for (number, value) in values {
      results[CaptureControl.ID(rawValue: number)] =
        value.map { CaptureControl.Value($0) }.mapError { CaptureError($0) }
    }
    return results
  }

  func set(_ settings: [CaptureControl.Setting]) throws {
    try translatingErrors { () throws(VideoNodeError) in
      var known: [(control: Control, value: ControlValue)] = []
      var missing: CaptureControl.ID?
      for setting in settings {
        guard let control = try node.describeControl(setting.id.rawValue) else {
          missing = setting.id
          break
        }
        known.append((control, ControlValue(setting.value)))
      }
      try node.setControls(known)
      guard let missing else { return }
      throw node.noControl(missing.rawValue)
    }
  }

  func changes() throws -> AsyncStream<CaptureControlChange> {
    let watched = try openAnother()
    let (changes, continuation) = AsyncStream<CaptureControlChange>.makeStream(
      bufferingPolicy: .bufferingNewest(256))
    let watch = try translatingErrors { () throws(VideoNodeError) in
      try ControlWatch.start(watched, controls: watched.controls()) { event in
        continuation.yield(CaptureControlChange(event))
      } onEnd: {
        continuation.finish()
      }
    }
    guard let watch else {
      continuation.finish()
      return changes
    }
    continuation.onTermination = { _ in watch.cancel() }
    return changes
  }
}

extension CaptureError {
  fileprivate static func cannotBeRead(_ name: String, of camera: String) -> CaptureError {
    CaptureError(.unsupportedControl, "“\(name)” of \(camera) has no value that can be read.")
  }
}

// MARK: - Translation

extension CaptureControl {
  init(_ control: Control) {
    self.init(
      ID(rawValue: control.identifier), name: control.name, kind: Kind(control),
      range: control.range, step: control.step,
      defaultValue: control.isScalar && control.type.isNumber && control.type != .button
        ? control.defaultValue : nil,
      menu: control.menu.map { item in
        item.number.map { MenuItem(Int64(item.index), number: $0) }
          ?? MenuItem(Int64(item.index), item.name)
      },
      flags: Flags(rawValue: control.flags))
  }
}

extension CaptureControl.Kind {
  fileprivate init(_ control: Control) {
    guard control.isScalar else {
      self = .compound
      return
    }
    self =
      switch control.type {
      case .integer: .integer
      case .boolean: .boolean
      case .menu: .menu
      case .integerMenu: .integerMenu
      case .bitmask: .bitmask
      case .button: .button
      case .integer64: .integer64
      case .string: .string
      default: .compound
      }
  }
}

extension CaptureControl.Value {
  fileprivate init(_ value: ControlValue) {
    switch value {
    case .number(let number): self = .integer(number)
    case .text(let text): self = .text(text)
    }
  }
}

extension ControlValue {
  fileprivate init(_ value: CaptureControl.Value) {
    switch value {
    case .integer(let number): self = .number(number)
    case .text(let text): self = .text(text)
    }
  }
}

extension CaptureControlChange {
  fileprivate init(_ event: ControlEvent) {
    self.init(
      CaptureControl.ID(rawValue: event.identifier),
      value: event.value.map { CaptureControl.Value.integer($0) },
      descriptionChanged: event.descriptionChanged,
      flags: CaptureControl.Flags(rawValue: event.flags))
  }
}
