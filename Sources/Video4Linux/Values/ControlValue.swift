/// The value of a control.
package enum ControlValue: Hashable, Sendable {
  case number(Int64)
  case text(String)
}
