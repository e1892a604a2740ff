import CVideo4Linux

/// A control as the driver describes it now.
package struct Control: Hashable, Sendable {
  /// An entry of a menu.
  package struct MenuItem: Hashable, Sendable {
    package let index: UInt32
    /// May be empty.
    package let name: String
    /// What an item of an integer menu stands for.
    package let number: Int64?

    package init(index: UInt32, name: String = "", number: Int64? = nil) {
      self.index = index
      self.name = name
      self.number = number
    }
  }

  package let identifier: UInt32
  package let type: ControlType
  /// May be empty.
  package let name: String
  package let range: ClosedRange<Int64>
  /// At least 1.
  package let step: Int64
  package let defaultValue: Int64
  /// `V4L2_CTRL_FLAG_…`
  package let flags: UInt32
  /// Whether a value is one number, or a text, and no array.
  package let isScalar: Bool
  /// In order; the numbers may have gaps.
  package internal(set) var menu: [MenuItem] = []

  /// Takes over what a driver says, as far as it can be.
  init(_ answer: v4l2_query_ext_ctrl) {
    identifier = answer.id
    type = ControlType(rawValue: answer.type)
    name = controlText(answer.name)
    // A driver that has the ends the wrong way round means the same values.
    range = min(answer.minimum, answer.maximum)...max(answer.minimum, answer.maximum)
    step = max(Int64(clamping: answer.step), 1)
    defaultValue = answer.default_value
    flags = answer.flags
    isScalar = (type.isNumber || type == .string) && answer.nr_of_dims == 0
  }
}

/// A name without what makes lists unreadable: blanks around it, control characters in it.
func controlText<Characters>(_ characters: Characters) -> String {
  let text = String(
    kernelText(characters).unicodeScalars.map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F ? " " : Character(scalar)
    })
  return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}
