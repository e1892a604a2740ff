import CSDL2

/// Why there is no window.
public struct WindowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence that says what to do, and SDL's own words.
  public let description: String

  init(_ sentence: String) {
    description = "\(sentence): \(String(cString: SDL_GetError()))."
  }
}
