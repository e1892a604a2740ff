public import Foundation

/// What happens to a window.
public enum WindowEvent: Hashable, Sendable {
  /// A key without a character.
  public enum Key: Hashable, Sendable {
    case escape, enter, backspace, delete, left, right, up, down, pageUp, pageDown
  }

  /// A key was pressed.
  case key(Key)
  /// Characters were typed, of whatever keyboard and input method; a space too.
  case text(String)
  /// A click or a tap, in pixels of the window.
  case tap(CGPoint)
  /// The wheel, upwards above 0.
  case scroll(Double)
  /// The window has another size, or lost what was drawn.
  case changed
  /// The user closes the window.
  case close
  /// Somebody used a ``WindowBell``.
  case rung
}
