import CTerminal
import Dispatch
import Foundation
public import Imaging
import Synchronization

/// A terminal that shows pictures, and is left as it was however the program ends.
///
/// ```swift
/// let screen = try TerminalScreen()
/// try screen.open { event in … }   // .canvas says what pictures are to be like
/// screen.show(pixels)              // from one thread, as fast as the terminal reads
/// screen.close()
/// ```
///
/// What it shows is on the alternate screen; the main one, the cursor and the terminal's mode come
/// back at ``close()``, at `exit`, at Ctrl-Z, and in a crash. There is one at a time.
public final class TerminalScreen: Sendable {
  private let parts: TerminalParts
  private let state = Mutex(State.new)
  private let isOver = DispatchSemaphore(value: 0)

  private enum State { case new, open, closed }

  /// Looks at the terminal that stdout goes to; changes nothing.
  ///
  /// - Parameters:
  ///   - wish: How pictures are to be shown.
  ///   - captionRowCount: Rows at the lower edge that pictures leave free, for ``caption``.
  ///   - environment: What says which kind of terminal it is: `TERM`, `COLORTERM`, `TMUX`.
  /// - Throws: ``TerminalError``.
  public init(
    _ wish: PictureWish = PictureWish(), captionRowCount: Int = 0,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(TerminalError) {
    let kind = TerminalKind(environment)
    let descriptor = ck_terminal_open(STDOUT_FILENO)
    guard descriptor != -ENOTTY else { throw .notATerminal }
    guard descriptor >= 0 else { throw .failed(errno: -descriptor) }
    guard kind.isCapable else {
      Glibc.close(descriptor)
      throw .incapable(name: environment["TERM"] ?? "")
    }
    var (reader, writer): (Int32, Int32) = (-1, -1)
    let status = ck_terminal_pipe(&reader, &writer)
    guard status == 0 else {
      Glibc.close(descriptor)
      throw .failed(errno: -status)
    }
    parts = TerminalParts(
      descriptor: descriptor, wakeReader: reader, wakeWriter: writer, kind: kind, wish: wish,
      captionRowCount: max(0, captionRowCount))
  }

  deinit {
    close()
    for descriptor in [parts.descriptor, parts.wakeReader, parts.wakeWriter] {
      Glibc.close(descriptor)
    }
  }

  /// Takes the terminal.
  ///
  /// - Parameter tell: Called with what happens, on the terminal's thread; it may not wait.
  /// - Throws: ``TerminalError`` where the terminal cannot be taken.
  public func open(_ tell: @escaping @Sendable (TerminalEvent) -> Void) throws(TerminalError) {
    let isNew = state.withLock { state in
      guard state == .new else { return false }
      state = .open
      return true
    }
    guard isNew else { throw .failed(errno: EBUSY) }
    let status = ck_terminal_begin(
      parts.descriptor, parts.wakeWriter, TerminalParts.enter, parts.leave)
    guard status == 0 else {
      state.withLock { $0 = .closed }
      throw .failed(errno: -status)
    }
    // A thread of its own: it waits for the terminal, and stops with the program at Ctrl-Z.
    Thread { [parts, isOver] in
      var loop = TerminalLoop(parts, tell)
      loop.run()
      parts.mailbox.close()
      isOver.signal()
    }.start()
  }

  /// Shows a picture; waits until the terminal has taken it, however slow it is.
  ///
  /// - Parameter pixels: BGRA, of the size that the last ``TerminalEvent/canvas(_:)`` said.
  /// - Returns: Whether it has been shown: not where it has another size, or the screen is closed.
  @discardableResult
  public func show(_ pixels: PixelBuffer) -> Bool {
    parts.mailbox.deliver(pixels, wake: { parts.wake(.picture) })
  }

  /// The text below the pictures, of as many lines as there are rows for it; nil for none. Setting
  /// it does not wait until it is shown.
  public var caption: TerminalCaption? {
    get { parts.mailbox.caption }
    set {
      guard newValue != caption else { return }
      parts.mailbox.caption = newValue
      parts.wake(.picture)
    }
  }

  /// Gives the terminal back as it was, and lets whoever waits in ``show(_:)`` go. Waits until that
  /// is done: half a second where the terminal reads nothing. Again it does nothing.
  public func close() {
    let wasOpen = state.withLock { state in
      defer { state = .closed }
      return state == .open
    }
    guard wasOpen else { return }
    parts.wake(.end)
    isOver.wait()
    ck_terminal_end()
  }

  /// What has been shown so far.
  public var figures: PictureFigures { parts.mailbox.figures }
}

/// What the screen and its thread share.
struct TerminalParts: Sendable {
  /// What wakes the thread beside signals, whose numbers are in between.
  enum Call: UInt8 {
    /// A picture, or another caption.
    case picture = 0
    case end = 255
  }

  let descriptor: Int32
  let wakeReader: Int32
  let wakeWriter: Int32
  let kind: TerminalKind
  let wish: PictureWish
  let captionRowCount: Int
  let mailbox = PictureMailbox()

  /// The alternate screen, no cursor, and no new line where a row is full.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[m\u{1B}[2J"

  /// The end of whatever is half written, and all of that back.
  var leave: String {
    let images = wantsKitty ? KittyEncoder.deletion(number: imageNumber) : ""
    return "\u{1B}\\\u{1B}[?2026l\(images)\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  }

  /// Whether images may be shown.
  var wantsKitty: Bool {
    wish.graphics == .kitty || (wish.graphics == .automatic && kind.mayBeAskedForKitty)
  }

  /// Two numbers of images that no other program on this terminal is likely to have.
  var imageNumber: UInt32 { 0x5EE0_0000 + UInt32(getpid() & 0xF_FFFF) * 2 }

  func wake(_ call: Call) {
    var byte = call.rawValue
    // A full pipe has woken the thread already, but the end may not be lost.
    while write(wakeWriter, &byte, 1) == -1, errno == EINTR || (errno == EAGAIN && call == .end) {
      usleep(1000)
    }
  }
}
