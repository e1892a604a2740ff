/// What happens on a terminal that shows pictures.
public enum TerminalEvent: Hashable, Sendable {
  /// From now on pictures are to be such.
  case canvas(PictureCanvas)
  /// A key that is a byte, as it comes from the terminal.
  case key(UInt8)
  /// The Escape key.
  case escape
  /// A key that moves something.
  case motion(TerminalMotion)
  /// Ctrl-C, SIGTERM or SIGHUP: the program is to end.
  case stop
  /// The terminal has gone; with the kernel's error number. Nothing more comes.
  case closed(errno: Int32)
}

/// What has been shown.
public struct PictureFigures: Hashable, Sendable {
  /// Pictures that the terminal has taken.
  public internal(set) var pictureCount: Int = 0
  /// Their bytes.
  public internal(set) var byteCount: Int = 0
}
