import Glibc

/// Why a terminal cannot show pictures.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// stdout goes to a file or pipe.
  case notATerminal
  /// The terminal is said to have no cursor that can be placed.
  case incapable(name: String)
  /// The terminal cannot be used; with the kernel's error number.
  case failed(errno: Int32)

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .notATerminal: "stdout is no terminal, and only a terminal can show pictures."
    case .incapable(""): "TERM is not set: set it to what the terminal is, as xterm-256color."
    case .incapable(let name): "A terminal of the kind '\(name)' cannot show pictures: see TERM."
    case .failed(let number):
      "The terminal cannot be used: \(String(cString: strerror(number)))."
    }
  }
}
