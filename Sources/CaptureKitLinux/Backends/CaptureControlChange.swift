/// Says that a control has changed: set by this program or another one, or by the camera itself.
public struct CaptureControlChange: Hashable, Sendable {
  /// The control.
  public let id: CaptureControl.ID
  /// The new value; nil where only what is allowed has changed, and of text.
  public let value: CaptureControl.Value?
  /// Whether what the control allows has changed: its range, its step, its flags. Ask for it anew.
  public let descriptionChanged: Bool
  /// What can be done with the control now.
  public let flags: CaptureControl.Flags

  /// Describes a change; for backends of your own.
  ///
  /// - Parameters:
  ///   - id: The control.
  ///   - value: The new value.
  ///   - descriptionChanged: Whether what the control allows has changed.
  ///   - flags: What can be done with the control now.
  public init(
    _ id: CaptureControl.ID, value: CaptureControl.Value?, descriptionChanged: Bool = false,
    flags: CaptureControl.Flags = []
  ) {
    self.id = id
    self.value = value
    self.descriptionChanged = descriptionChanged
    self.flags = flags
  }
}
