import CTerminal
import Glibc
import Imaging

/// The one thread that reads a terminal and writes to it.
struct TerminalLoop {
  private static let answerTime = Duration.seconds(1)

  private let parts: TerminalParts
  private let tell: @Sendable (TerminalEvent) -> Void
  private var input = TerminalInput()
  private var capabilities = TerminalCapabilities()
  private var layout: TerminalLayout?
  private var encoder: PictureEncoder?
  private var pace = PicturePace()

  /// What is to be written before the next picture.
  private var preface: [UInt8] = []
  private var shownCaption: TerminalCaption?
  private var output: ArraySlice<UInt8> = []
  /// The picture that is being written, and since when.
  private var delivery: PictureMailbox.Delivery?
  private var outputStart = ContinuousClock.now
  private var outputByteCount = 0

  private var askedAt = ContinuousClock.now
  /// Since when nothing has followed what has been begun.
  private var pauseSince: ContinuousClock.Instant?
  /// How often it has been looked for whether the program is in the foreground; nil once it has
  /// taken the terminal there.
  private var turnInBackground: Int? = 0
  /// When the program went on after Ctrl-Z, and has done already what its signal asks for.
  private var resumedAt: ContinuousClock.Instant?
  /// Whether the program is to end.
  private var isStopping = false
  private var isOver = false

  init(_ parts: TerminalParts, _ tell: @escaping @Sendable (TerminalEvent) -> Void) {
    self.parts = parts
    self.tell = tell
  }

  /// Returns when the screen is closed, or the terminal is.
  mutating func run() {
    enter()
    while !isOver { waitForSomething() }
    if turnInBackground == nil { waitForAnswers() }
    ck_terminal_leave()
    delivery?.finish(shown: false)
  }

  /// Takes the terminal once the program is in the foreground.
  ///
  /// Elsewhere it stops, as any that sets a terminal's mode; but not amid that, so that whoever ends
  /// it there is heard, and what the shell sets while it reads a command is not taken for the mode.
  private mutating func enter() {
    guard !isOver, let turn = turnInBackground else { return }
    guard ck_terminal_is_in_background() != 0 else {
      turnInBackground = nil
      let status = ck_terminal_enter()
      if status < 0 { return close(errno: -status) }
      if !capabilities.isComplete { ask() }
      return
    }
    guard !isStopping else { return }
    turnInBackground = turn + 1
    // The first turn waits for signals that came together with the one to go on. The last one is
    // reached where nobody could let the program go on.
    if turn == 1 { ck_terminal_stop_in_background() }
    if turn == 4 { close(errno: EIO) }
  }

  private mutating func close(errno number: Int32) {
    guard !isOver else { return }
    isOver = true
    tell(.closed(errno: number))
  }

  // MARK: Waiting

  private mutating func waitForSomething() {
    let waitsToWrite = !output.isEmpty
    let isInFront = turnInBackground == nil
    var places = [
      pollfd(
        fd: isInFront ? parts.descriptor : -1,
        events: Int16(waitsToWrite ? POLLIN | POLLOUT : POLLIN), revents: 0),
      pollfd(fd: parts.wakeReader, events: Int16(POLLIN), revents: 0),
    ]
    let hasWaitedInVain = poll(&places, 2, timeout) == 0
    if places[1].revents != 0 { takeCalls() }
    if hasWaitedInVain { enter() }
    if Int32(places[0].revents) & (POLLIN | POLLHUP | POLLERR) != 0 { read() }
    if let since = pauseSince, since.duration(to: .now) >= pauseTime {
      pauseSince = nil
      if let reply = input.pause() { take(reply) }
    }
    guard turnInBackground == nil else { return }
    lay()
    if !isOver { write() }
  }

  /// Milliseconds until something is to be done without anything happening; -1 for never.
  private var timeout: Int32 {
    if turnInBackground != nil { return isStopping ? -1 : 50 }
    var ends: [ContinuousClock.Instant] = []
    if let pauseSince { ends.append(pauseSince + pauseTime) }
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
      case SIGINT, SIGTERM, SIGHUP:
        isStopping = true
        tell(.stop)
      case SIGTSTP: suspend()
      case SIGCONT:
        let hasResumed = resumedAt.map { $0.duration(to: .now) < .milliseconds(100) } ?? false
        resumedAt = nil
        if !hasResumed || turnInBackground != nil { resume() }
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
    resume()
    resumedAt = .now
  }

  private mutating func resume() {
    // Whoever stopped the program may have drawn and set the terminal as they like.
    forgetOutput()
    layout = nil
    turnInBackground = 0
    enter()
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
    if count == -Int(EAGAIN) { return resume() }
    if count < 0 { return close(errno: Int32(-count)) }
    for reply in input.take(bytes.prefix(count)) { take(reply) }
    pauseSince = input.isWaiting ? .now : nil
  }

  /// How long nothing follows the Escape key, or what never ends.
  private var pauseTime: Duration {
    // The first byte of an answer may come long before the others over a slow line.
    input.mayBeEscapeKey && capabilities.isComplete ? .milliseconds(100) : .seconds(1)
  }

  private mutating func take(_ reply: TerminalReply) {
    if capabilities.learn(reply) { return }
    switch reply {
    case .byte(let byte): tell(.key(byte))
    case .escape: tell(.escape)
    case .control(nil, let parameters, let final):
      if let motion = TerminalMotion(parameters: parameters, final: final) { tell(.motion(motion)) }
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
      whole: size, captionRowCount: parts.captionRowCount,
      style: parts.kind.style(
        parts.wish, hasKittyGraphics: parts.wantsKitty && capabilities.hasKittyGraphics),
      pixelLimit: pace.pixelLimit)
    guard new != layout else { return }
    if new.size != layout?.size || new.style != layout?.style {
      encoder = PictureEncoder(new.style, size: new.size, imageNumber: parts.imageNumber)
      preface += "\u{1B}[m\u{1B}[2J".utf8
      shownCaption = nil
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
    // The rest of what was begun, a picture, and the caption: keys are read in between.
    for _ in 0..<3 {
      if output.isEmpty { takePicture() }
      if output.isEmpty { takeCaption() }
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

  /// Writes the caption where it is another one, also while no picture comes.
  private mutating func takeCaption() {
    guard let layout, let caption = parts.mailbox.caption, caption != shownCaption else { return }
    shownCaption = caption
    output += preface + caption.bytes(from: layout.size.rows, on: layout.whole)
    preface = []
  }

  private mutating func finishPicture() {
    guard let delivery else { return }
    self.delivery = nil
    parts.mailbox.count(byteCount: outputByteCount)
    if layout?.style == .kitty { pace.add(outputStart.duration(to: .now)) }
    delivery.finish(shown: true)
  }
}
