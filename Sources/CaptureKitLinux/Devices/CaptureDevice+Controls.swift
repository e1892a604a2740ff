extension CaptureDevice {
  /// The controls as they are now, in the driver's order; empty where there are none or they cannot
  /// be asked for.
  public var controls: [CaptureControl] { (try? loadControls()) ?? [] }

  /// Lists the controls as they are now.
  ///
  /// The camera is asked each time, and opened for it where the device is not locked for
  /// configuration; that it streams does not matter. It may take its time: not for the main thread.
  ///
  /// - Returns: The controls in the driver's order.
  /// - Throws: ``CaptureError`` where the camera cannot be asked: `notPermitted`, `disconnected`.
  public func loadControls() throws -> [CaptureControl] {
    try withControls { try $0.controls() }
  }

  /// One control as it is now; nil where the camera does not have it, or cannot be asked.
  public func control(_ id: CaptureControl.ID) -> CaptureControl? {
    try? withControls { try $0.control(id) }
  }

  /// Reads a control.
  ///
  /// - Parameter id: The control.
  /// - Returns: Its value now.
  /// - Throws: ``CaptureError``: `unsupportedControl` where the camera does not have it or it
  ///   cannot be read, `controlFailed` where the camera does not answer for it, `disconnected`,
  ///   `notPermitted`.
  public func value(of id: CaptureControl.ID) throws -> CaptureControl.Value {
    try withControls { access in
      guard let result = try access.values(of: [id])[id] else {
        throw CaptureError.noControl(id, of: localizedName)
      }
      return try result.get()
    }
  }

  /// Reads several controls at once.
  ///
  /// - Parameter ids: The controls; nil for all that can be read.
  /// - Returns: Their values. What the camera does not have, or does not answer for, is left out.
  /// - Throws: ``CaptureError`` where the camera cannot be asked at all: `disconnected`,
  ///   `notPermitted`.
  public func values(
    of ids: [CaptureControl.ID]? = nil
  ) throws -> [CaptureControl.ID: CaptureControl.Value] {
    try withControls { access in
      let ids = try ids ?? access.controls().filter(\.isReadable).map(\.id)
      return try access.values(of: ids).compactMapValues { try? $0.get() }
    }
  }

  /// Sets a control.
  ///
  /// An automatic control that governs it is switched off first: setting `exposureTime` makes
  /// exposure manual. A number between two steps goes to the nearer one; steps count from the
  /// lowest value.
  ///
  /// - Parameters:
  ///   - value: The value; of a button it does not matter.
  ///   - id: The control.
  /// - Throws: ``CaptureError``, and nothing has changed then: `notLocked` without
  ///   ``lockForConfiguration()``, `unsupportedControl`, `invalidControlValue`,
  ///   `controlNotWritable`, `controlFailed`, `disconnected`.
  public func setValue(_ value: CaptureControl.Value, for id: CaptureControl.ID) throws {
    try setValues([CaptureControl.Setting(id, value)])
  }

  /// Sets several controls, in the order that they need: automatic ones before those they govern.
  ///
  /// Everything is checked before anything is set.
  ///
  /// - Parameter settings: The values; of a control that is named twice the last counts.
  /// - Throws: ``CaptureError``, as ``setValue(_:for:)``. Where the camera itself refuses one of
  ///   several, some may have been set.
  public func setValues(_ settings: [CaptureControl.Setting]) throws {
    try requireLock()
    try applyValues(settings)
  }

  /// Sets several controls for the library itself, which needs no lock.
  func applyValues(_ settings: [CaptureControl.Setting]) throws {
    try withControls { access in
      let (plan, before) = try plan(for: settings, access)
      if let refusal = plan.refusals.first { throw refusal.error }
      do {
        for stage in plan.stages { try access.set(stage) }
      } catch {
        let undone = plan.implied.compactMap { setting in
          before[setting.id].map { CaptureControl.Setting(setting.id, .integer($0)) }
        }
        if !undone.isEmpty { try? access.set(undone) }
        throw error
      }
    }
  }

  /// Tells of changes of controls from now on: by this program, by others, by the camera itself.
  ///
  /// ```swift
  /// for await change in try device.controlChanges() where change.id == .privacy {
  ///   show(change.value?.isOn == true ? "The shutter is closed." : "")
  /// }
  /// ```
  ///
  /// The camera stays open for as long as the sequence is waited for. Volatile controls change
  /// without a message.
  ///
  /// - Returns: A sequence for one loop. It ends when the camera is gone, and at once for a camera
  ///   that tells of nothing.
  /// - Throws: ``CaptureError``: `disconnected`, `notPermitted`.
  public func controlChanges() throws -> AsyncStream<CaptureControlChange> {
    try withControls { try $0.changes() }
  }
}

// MARK: - Steps

extension CaptureDevice {
  /// Runs a call on the controls; a camera that is found to be gone is marked as such by its
  /// session.
  func withControls<Value>(
    _ body: (any CaptureControlAccess) throws -> Value
  ) throws -> Value {
    do {
      return try body(controlAccess())
    } catch {
      throw CaptureError.wrapping(error)
    }
  }

  /// A plan for settings, and the values of those that may have to be put back.
  func plan(
    for settings: [CaptureControl.Setting], _ access: any CaptureControlAccess
  ) throws -> (plan: ControlPlan, before: [CaptureControl.ID: Int64]) {
    let relevant = ControlPlan.relevant(for: settings.map(\.id))
    var controls: [CaptureControl.ID: CaptureControl] = [:]
    for id in relevant { controls[id] = try access.control(id) }
    let governors = controls.values.filter { ControlGovernor.isGovernor($0.id) && $0.isReadable }
    let values = try access.values(of: governors.map(\.id))
      .compactMapValues { (try? $0.get())?.number }
    let plan = ControlPlan(
      settings, controls: controls, values: values, camera: localizedName)
    return (plan, values)
  }
}
