/// A key that moves something: those with arrows, and their neighbours.
public enum TerminalMotion: Hashable, Sendable {
  /// An arrow.
  case up, down, left, right
  /// To one end.
  case home, end
  /// By as much as is seen.
  case pageUp, pageDown

  /// The key that a control sequence stands for, whatever other keys are held with it; nil for
  /// other sequences.
  init?(parameters: [Int], final: UInt8) {
    switch final {
    case UInt8(ascii: "A"): self = .up
    case UInt8(ascii: "B"): self = .down
    case UInt8(ascii: "C"): self = .right
    case UInt8(ascii: "D"): self = .left
    case UInt8(ascii: "H"): self = .home
    case UInt8(ascii: "F"): self = .end
    case UInt8(ascii: "~"):
      switch parameters.first {
      case 1, 7: self = .home
      case 4, 8: self = .end
      case 5: self = .pageUp
      case 6: self = .pageDown
      default: return nil
      }
    default: return nil
    }
  }
}
