import CTerminal
import Glibc
import Imaging

/// The one thread that reads a terminal and writes to it.
struct TerminalLoop {
  private static let answerTime = Duration.seconds(1)
  /// How long nothing follows the Escape key.
  private static let escapeTime = Duration.milliseconds(100)

  private let parts: TerminalParts
  private let tell: @Sendable (TerminalEvent) -> Void
  private var input = TerminalInput()
  private var capabilities = TerminalCapabilities()
  private var layout: TerminalLayout?
  private var encoder: PictureEncoder?
  private var pace = PicturePace()

  /// What is to be written before the next picture.
  private var preface: [UInt8] = []
  private var output: ArraySlice<UInt8> = []
  /// The picture that is being written, and since when.
  private var delivery: PictureMailbox.Delivery?
  private var outputStart = ContinuousClock.now
  private var outputByteCount = 0

  private var askedAt = ContinuousClock.now
  private var escapeSince: ContinuousClock.Instant?
  /// When the program went on after Ctrl-Z, and has done already what its signal asks for.
  private var resumedAt: ContinuousClock.Instant?
  private var isOver = false

  init(_ parts: TerminalParts, _ tell: @escaping @Sendable (TerminalEvent) -> Void) {
    self.parts = parts
    self.tell = tell
  }

  /// Returns when the screen is closed, or the terminal is.
  mutating func run() {
    enter()
    ask()
    while !isOver { waitForSomething() }
    waitForAnswers()
    ck_terminal_leave()
    delivery?.finish(shown: false)
  }

  private mutating func enter() {
    let status = ck_terminal_enter()
    if status < 0 { close(errno: -status) }
  }

  private mutating func close(errno number: Int32) {
    guard !isOver else { return }
    isOver = true
    tell(.closed(errno: number))
  }

  // MARK: Waiting

  private mutating func waitForSomething() {
    let waitsToWrite = !output.isEmpty
    var places = [
      pollfd(
        fd: parts.descriptor, events: Int16(waitsToWrite ? POLLIN | POLLOUT : POLLIN), revents: 0),
      pollfd(fd: parts.wakeReader, events: Int16(POLLIN), revents: 0),
    ]
    poll(&places, 2, timeout)
    if places[1].revents != 0 { takeCalls() }
    if Int32(places[0].revents) & (POLLIN | POLLHUP | POLLERR) != 0 { read() }
    if let since = escapeSince, since.duration(to: .now) >= Self.escapeTime {
      escapeSince = nil
      if let reply = input.pause() { take(reply) }
    }
    lay()
    if !isOver { write() }
  }

  /// Milliseconds until something is to be done without anything happening; -1 for never.
  private var timeout: Int32 {
    var ends: [ContinuousClock.Instant] = []
    if let escapeSince { ends.append(escapeSince + Self.escapeTime) }
    let answerEnd = askedAt + Self.answerTime
    if layout == nil, answerEnd > .now { ends.append(answerEnd) }
    guard let end = ends.min() else { return -1 }
    return Int32(max(0, ContinuousClock.now.duration(to: end) / .milliseconds(1))) + 1
  }

  private mutating func takeCalls() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(parts.wakeReader, &bytes, bytes.count)
    for byte in bytes.prefix(max(0, count)) {
      switch Int32(byte) {
      case SIGINT, SIGTERM, SIGHUP: tell(.stop)
      case SIGTSTP: suspend()
      case SIGCONT: resume()
      // Letters may have another size now.
      case SIGWINCH: preface += capabilities.questionsAboutSizes.utf8
      case Int32(TerminalParts.Call.end.rawValue): isOver = true
      // A picture: looked for in each turn, as the size is.
      default: continue
      }
    }
  }

  // MARK: Stops

  private mutating func suspend() {
    guard !isOver else { return }
    forgetOutput()
    ck_terminal_suspend()
    resumedAt = nil
    resume()
    resumedAt = .now
  }

  private mutating func resume() {
    let hasResumed = resumedAt.map { $0.duration(to: .now) < .milliseconds(100) } ?? false
    resumedAt = nil
    guard !hasResumed else { return }
    // Whoever stopped the program may have drawn and set the terminal as they like.
    forgetOutput()
    enter()
    layout = nil
  }

  /// Lets go of a picture that is half written: what leaves the terminal ends it.
  private mutating func forgetOutput() {
    output = []
    delivery?.finish(shown: false)
    delivery = nil
  }

  // MARK: Answers

  private mutating func ask() {
    askedAt = .now
    // Nothing can be shown before, so nothing is lost by waiting for the few bytes to go.
    output +=
      TerminalCapabilities.questions(
        withKitty: parts.wantsKitty, imageNumber: parts.imageNumber
      ).utf8
  }

  /// What is on its way when the program ends would be typed into the shell.
  private mutating func waitForAnswers() {
    let end = min(askedAt + Self.answerTime, .now + .milliseconds(150))
    while !capabilities.isComplete, ContinuousClock.now < end {
      var place = pollfd(fd: parts.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&place, 1, 10) >= 0, Int32(place.revents) & (POLLHUP | POLLERR) == 0 else {
        return
      }
      if place.revents != 0 { read() }
    }
  }

  private mutating func read() {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = ck_terminal_read(&bytes, bytes.count)
    if count < 0 { return close(errno: Int32(-count)) }
    for reply in input.take(bytes.prefix(count)) { take(reply) }
    escapeSince = input.mayBeEscapeKey ? .now : nil
  }

  private mutating func take(_ reply: TerminalReply) {
    if capabilities.learn(reply) { return }
    switch reply {
    case .byte(let byte): tell(.key(byte))
    case .escape: tell(.escape)
    case .control, .string: break
    }
  }

  // MARK: Layout

  /// Looks at what the terminal is now, once it has answered or will not.
  private mutating func lay() {
    guard !isOver else { return }
    let isKnown = capabilities.isComplete || askedAt.duration(to: .now) >= Self.answerTime
    guard isKnown, output.isEmpty || layout != nil else { return }
    let new = TerminalLayout(
      size: size,
      style: parts.kind.style(
        parts.wish, hasKittyGraphics: parts.wantsKitty && capabilities.hasKittyGraphics),
      pixelLimit: pace.pixelLimit)
    guard new != layout else { return }
    if new.size != layout?.size || new.style != layout?.style {
      encoder = PictureEncoder(new.style, size: new.size, imageNumber: parts.imageNumber)
      preface += "\u{1B}[m\u{1B}[2J".utf8
      if parts.wantsKitty { preface += KittyEncoder.deletion(number: parts.imageNumber).utf8 }
    }
    layout = new
    tell(.canvas(new.canvas))
  }

  private var size: TerminalSize {
    let native = ck_terminal_size_of(parts.descriptor)
    let (columns, rows) =
      native.columns > 0 && native.rows > 0 ? (Int(native.columns), Int(native.rows)) : (80, 24)
    let cell = TerminalSize.CellSize(
      width: Double(native.width) / Double(columns), height: Double(native.height) / Double(rows))
    return TerminalSize(
      columns: columns, rows: rows,
      cell: cell ?? capabilities.cell(columns: columns, rows: rows))
  }

  // MARK: Pictures

  private mutating func write() {
    if output.isEmpty { takePicture() }
    while !output.isEmpty {
      let count = output.withUnsafeBytes { bytes in
        bytes.baseAddress.map { ck_terminal_write($0, bytes.count) } ?? 0
      }
      if count < 0 { return close(errno: Int32(-count)) }
      if count == 0 { return }
      output = output.dropFirst(count)
    }
    finishPicture()
  }

  private mutating func takePicture() {
    guard encoder != nil, let next = parts.mailbox.take() else { return }
    guard let picture = encoder?.encode(next.pixels) else { return next.finish(shown: false) }
    delivery = next
    outputStart = .now
    outputByteCount = 0
    guard !picture.isEmpty || !preface.isEmpty else { return }
    // All at once where the terminal can do that.
    let marks =
      capabilities.hasSynchronizedOutput ? ("\u{1B}[?2026h", "\u{1B}[?2026l") : ("", "")
    let bytes = Array(marks.0.utf8) + preface + picture + Array(marks.1.utf8)
    preface = []
    output = bytes[...]
    outputByteCount = bytes.count
  }

  private mutating func finishPicture() {
    guard let delivery else { return }
    self.delivery = nil
    parts.mailbox.count(byteCount: outputByteCount)
    if layout?.style == .kitty { pace.add(outputStart.duration(to: .now)) }
    delivery.finish(shown: true)
  }
}
