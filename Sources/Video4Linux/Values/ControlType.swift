import CVideo4Linux

/// What a control's values are, `V4L2_CTRL_TYPE_…`.
package struct ControlType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let integer = ControlType(rawValue: 1)
  package static let boolean = ControlType(rawValue: 2)
  package static let menu = ControlType(rawValue: 3)
  package static let button = ControlType(rawValue: 4)
  package static let integer64 = ControlType(rawValue: 5)
  /// A heading of the list, no control.
  package static let controlClass = ControlType(rawValue: 6)
  package static let string = ControlType(rawValue: 7)
  package static let bitmask = ControlType(rawValue: 8)
  package static let integerMenu = ControlType(rawValue: 9)

  /// Whether each item of a list has a number.
  var isMenu: Bool { self == .menu || self == .integerMenu }
  /// Whether a value is one number.
  package var isNumber: Bool {
    switch self {
    case .integer, .boolean, .menu, .button, .integer64, .bitmask, .integerMenu: true
    default: false
    }
  }
}
