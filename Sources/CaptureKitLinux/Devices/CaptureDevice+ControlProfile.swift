extension CaptureDevice {
  /// The settings of a camera as a value: to be kept in a file, and applied again after a replug.
  ///
  /// ```swift
  /// let profile = try device.controlProfile()
  /// try JSONEncoder().encode(profile).write(to: file)
  /// // … later, with the camera that came back …
  /// for refusal in try device.apply(profile) { log("\(refusal.error)") }
  /// ```
  public struct ControlProfile: Hashable, Codable, Sendable {
    /// The model that the settings are of, as ``CaptureDevice/modelID`` says; for your information.
    public var modelID: String
    /// The settings, in the camera's order.
    public var settings: [CaptureControl.Setting]

    /// Puts a profile together by hand.
    public init(modelID: String = "", settings: [CaptureControl.Setting]) {
      self.modelID = modelID
      self.settings = settings
    }

    /// A setting that a camera did not take, and why.
    public struct Refusal: Sendable {
      /// The setting.
      public let setting: CaptureControl.Setting
      /// Why it was not taken; the sentence names the control.
      public let error: CaptureError
    }
  }

  /// Reads all settings that can be set again.
  ///
  /// Left out are controls that can only be read, that change by themselves, buttons, those that an
  /// automatic control governs at the moment, and those that the camera does not answer for.
  ///
  /// - Returns: The settings as they are now.
  /// - Throws: ``CaptureError`` where the camera cannot be asked: `notPermitted`, `disconnected`.
  public func controlProfile() throws -> ControlProfile {
    try withControls { access in
      let kept = try access.controls().filter(\.belongsInProfile).map(\.id)
      let values = try access.values(of: kept)
      return ControlProfile(
        modelID: modelID,
        settings: kept.compactMap { id in
          guard let value = try? values[id]?.get() else { return nil }
          return CaptureControl.Setting(id, value)
        })
    }
  }

  /// Applies settings in the order that they need: automatic controls before those they govern.
  ///
  /// One that the camera does not take keeps none of the others back. The choice of a format comes
  /// before: the longest exposure may depend on it.
  ///
  /// - Parameter profile: The settings.
  /// - Returns: What was not taken, with the reasons.
  /// - Throws: ``CaptureError``, where nothing or not all could be tried: `notLocked`,
  ///   `disconnected`, `notPermitted`.
  public func apply(_ profile: ControlProfile) throws -> [ControlProfile.Refusal] {
    try requireLock()
    return try withControls { access in
      let plan = try plan(for: profile.settings, access).plan
      var refusals = plan.refusals.map {
        ControlProfile.Refusal(setting: $0.setting, error: $0.error)
      }
      for stage in plan.stages {
        // Together, which is one request; only where that fails one by one, to know the culprits.
        if (try? access.set(stage)) != nil { continue }
        for setting in stage {
          do {
            try access.set([setting])
          } catch {
            let error = CaptureError.wrapping(error)
            if error.code == .disconnected { throw error }
            refusals.append(ControlProfile.Refusal(setting: setting, error: error))
          }
        }
      }
      return refusals
    }
  }
}

extension CaptureControl {
  fileprivate var belongsInProfile: Bool {
    isReadable && isWritable
      && flags.isDisjoint(with: [.volatile, .inactive, .executeOnWrite])
  }
}
