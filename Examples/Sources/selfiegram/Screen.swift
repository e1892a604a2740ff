import Window

/// One of the things that the window shows.
protocol Screen: AnyObject {
  /// Whether a text is being typed, so that letters are no commands.
  var isEditing: Bool { get }
  /// Takes what the user does; taps on buttons are not among it.
  func handle(_ event: WindowEvent)
  /// Takes what others have done.
  func handle(_ message: Message)
  /// Draws all of the window.
  func draw(on page: Page)
  /// The screen gives way to another one, or the program ends.
  func leave()
}

extension Screen {
  var isEditing: Bool { false }
  func handle(_ message: Message) {}
  func leave() {}
}
