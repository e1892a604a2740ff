/// How urgently memory is needed.
package enum PressureLevel: Int, Comparable, CaseIterable, Sendable {
  /// It becomes short: what is not needed soon should go.
  case trim = 1
  /// It is short: all that can be had again should go.
  case flush
  /// Processes stand still for it, or will be ended: freed memory should go back to the system too.
  case giveBack

  package static func < (one: PressureLevel, other: PressureLevel) -> Bool {
    one.rawValue < other.rawValue
  }
}
