@preconcurrency import Glibc

/// Lines of progress on stdout: on a terminal each takes the place of the one before.
public struct StatusLine {
  private let isTerminal: Bool

  /// Looks at where stdout goes.
  public init() {
    isTerminal = isatty(STDOUT_FILENO) == 1
  }

  /// Shows a line at once, cut off where the terminal ends.
  ///
  /// - Throws: A ``Failure`` with the status `inputOutput`.
  public func show(_ line: String) throws {
    if isTerminal {
      print("\r\u{1B}[K\(line.prefix(columns - 1))", terminator: "")
    } else {
      print(line)
    }
    try finishOutput()
  }

  /// Makes room for what is printed next.
  public func finish() {
    if isTerminal { print("\r\u{1B}[K", terminator: "") }
  }

  private var columns: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
    return isKnown ? Int(size.ws_col) : 80
  }
}
