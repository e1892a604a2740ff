/// What a driver tells of a control that has changed.
package struct ControlEvent: Hashable, Sendable {
  package let identifier: UInt32
  /// Nil where the value has not changed, or is no number.
  package let value: Int64?
  /// Whether the range or the flags have changed.
  package let descriptionChanged: Bool
  /// `V4L2_CTRL_FLAG_…`
  package let flags: UInt32
}
