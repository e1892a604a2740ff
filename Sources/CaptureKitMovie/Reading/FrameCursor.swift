import CaptureKitLinux
import Imaging

/// A place in a movie, from which frames are read one after the other or looked for by time.
///
/// Not to be used by two threads at the same time.
final class FrameCursor {
  /// A frame and when it is shown, in units from the movie's begin.
  struct Place {
    let ticks: Int64
    let frame: LibAVFrameBridge
  }

  /// Bytes that may be read for one frame when they come in order, and to find one by its time.
  private static let readingByteCount = 1 << 28
  private static let searchingByteCount = 1 << 29
  /// The same for files whose times are found only by reading them from the begin.
  private static let sequentialByteCount = 1 << 32
  /// Damaged packets in a row that are passed over.
  private static let damageLimit = 256

  let facts: MovieFacts
  private let file: MovieInputFile
  private let limits: Image.Limits
  private let cancellation: MovieCancellation
  /// How times are found in a Matroska file without an index; nil for others.
  private let clusters: MatroskaClusters?
  private var demuxer: LibAVDemuxerBridge
  private var decoder: LibAVDecoderBridge
  /// The frame that was asked for last, and the one that is shown after it.
  private(set) var current: Place?
  private(set) var pending: Place?
  private var latestTicks: Int64?
  private var isAtBegin = true
  /// Whether no packets follow.
  private var isDrained = false
  private var damageInARow = 0
  /// Units to the end of a movie that does not say how long it is, where somebody has measured it.
  var measuredLength: Int64?
  /// Whether something was passed over.
  private(set) var isDamaged = false

  init(
    _ file: MovieInputFile, _ limits: Image.Limits, _ cancellation: MovieCancellation
  ) throws(MovieError) {
    self.file = file
    self.limits = limits
    self.cancellation = cancellation
    demuxer = try LibAVDemuxerBridge.open(file, cancellation, limits)
    facts = try demuxer.facts()
    clusters = MatroskaClusters(unindexed: file, facts.container)
    decoder = try LibAVDecoderBridge(demuxer, path: file.path, limits)
  }

  var noFrame: MovieError { .hasNoWholeFrame(file.path) }
  var noMemory: MovieError { .hasNoMemory(file.path) }

  // MARK: - Looking for a time

  /// Goes to the frame that is shown at a time.
  ///
  /// - Parameter time: From the movie's begin; at its end the last frame is shown.
  /// - Returns: The frame, at which the cursor stands then.
  /// - Throws: `.endOfMovie` where there is no frame then, `.corrupt` where none can be decoded,
  ///   `.cannotRead`, `.tooLarge`.
  func find(_ time: Duration) throws(MovieError) -> Place {
    guard time >= .zero else { throw .endsBefore(time, file.path) }
    // Beyond these seconds are none that could be counted.
    let ticks = facts.ticks(at: min(time, .seconds(Int64.max)))
    if let length = facts.length, ticks > length { throw .endsBefore(time, file.path) }
    if !isAhead(ticks) { try goBack(to: ticks) }
    demuxer.allow(searchingByteCount)
    try fill()
    while let next = pending, next.ticks <= ticks { try step() }
    guard let current else { throw noFrame }
    if pending == nil, ticks > max(facts.length ?? measuredLength ?? 0, end(of: current)) {
      throw .endsBefore(time, file.path)
    }
    return current
  }

  /// When a frame without a successor is no longer shown.
  private func end(of place: Place) -> Int64 {
    let (end, overflow) = place.ticks.addingReportingOverflow(facts.usualTicks)
    return overflow ? .max : max(end, facts.length ?? 0)
  }

  /// Whether the frame of a time is quickest reached by decoding on.
  private func isAhead(_ ticks: Int64) -> Bool {
    guard let place = current else { return isAtBegin && isEarly(ticks, after: 0) }
    guard place.ticks <= ticks else { return false }
    guard let pending else { return true }
    return pending.ticks > ticks || isEarly(ticks, after: pending.ticks)
  }

  /// Whether there is no key frame between two times, or nobody knows and it is not far.
  private func isEarly(_ ticks: Int64, after place: Int64) -> Bool {
    guard clusters == nil, let key = demuxer.keyFrameTime(before: stored(ticks)) else {
      return ticks <= place.addingClamped(facts.timeBase.ticks(in: .seconds(2)))
    }
    return key <= stored(place)
  }

  /// Goes to a key frame that is not shown after a time, or to the movie's begin.
  private func goBack(to ticks: Int64) throws(MovieError) {
    // Files know where packets lie by when they are decoded, and some only roughly: where the first
    // frame is too late, the one before is tried.
    for secondsBefore in [0, 1, 4, 16, 64] {
      let back = facts.timeBase.ticks(in: .seconds(secondsBefore))
      let target = ticks.subtractingClamped(back)
      guard target > 0 else { break }
      try seek(to: target)
      try fill()
      if let current, current.ticks <= ticks { return }
    }
    try restart()
  }

  /// Goes to the key frame before a time, as far as the file knows.
  func seek(to ticks: Int64) throws(MovieError) {
    demuxer.allow(searchingByteCount)
    if let cluster = clusters?.last(notAfter: stored(ticks)) {
      demuxer.addIndexEntry(cluster.time, atByte: cluster.offset)
    }
    if demuxer.seek(to: stored(ticks)) {
      decoder.flush()
      forget()
    } else {
      if demuxer.isExhausted { throw .takesTooLong(file.path) }
      try restart()
    }
  }

  private var searchingByteCount: Int {
    facts.container == .avi ? Self.sequentialByteCount : Self.searchingByteCount
  }

  /// Goes to the movie's begin.
  func restart() throws(MovieError) {
    if !isAtBegin {
      demuxer = try LibAVDemuxerBridge.open(file, cancellation, limits)
      decoder = try LibAVDecoderBridge(demuxer, path: file.path, limits)
    }
    forget()
    isAtBegin = true
  }

  private func forget() {
    (current, pending, latestTicks) = (nil, nil, nil)
    isAtBegin = false
    isDrained = false
    damageInARow = 0
  }

  /// A time of ours as the file counts it.
  private func stored(_ ticks: Int64) -> Int64 { ticks.addingClamped(facts.start) }

  // MARK: - One frame after the other

  /// Goes to the next frame; `current` is nil behind the last one.
  func advance() throws(MovieError) {
    demuxer.allow(max(Self.readingByteCount, 8 * facts.codedSize.pixelCount))
    if current == nil, pending == nil { return try fill() }
    try step()
  }

  private func step() throws(MovieError) {
    current = pending
    pending = current == nil ? nil : try decode()
  }

  /// Reads the first frame of a place, and the one behind it.
  private func fill() throws(MovieError) {
    guard current == nil, pending == nil else { return }
    current = try decode()
    if current != nil { pending = try decode() }
  }

  /// The next frame in the order in which they are shown; nil at the end.
  private func decode() throws(MovieError) -> Place? {
    while !cancellation.isCancelled {
      isAtBegin = false
      switch decoder.receive() {
      case .frame(let frame):
        damageInARow = 0
        if frame.isDamaged { isDamaged = true }
        return place(frame)
      case .end: return nil
      case .damage:
        // What the decoder cannot make anything of at its end is all that there is.
        guard noteDamage() else { return nil }
      case .needsPacket:
        guard !isDrained else { return nil }
        try feed()
      }
    }
    return nil
  }

  private func feed() throws(MovieError) {
    switch try demuxer.readPacket() {
    case .packet where isCutOff: isDamaged = true
    case .packet: if !decoder.send(demuxer), !noteDamage() { drain() }
    case .damage: if !noteDamage() { drain() }
    case .cutOff:
      isDamaged = true
      drain()
    case .end: drain()
    }
  }

  /// Whether the packet's end is missing: half a picture is none. Transport streams, which lose parts
  /// on their way, are left to the decoder.
  private var isCutOff: Bool {
    demuxer.isPacketDamaged && facts.container != .mpegTransportStream
  }

  private func drain() {
    isDrained = true
    decoder.drain()
  }

  /// - Returns: false where there is too much damage to go on.
  private func noteDamage() -> Bool {
    isDamaged = true
    damageInARow += 1
    return damageInARow < Self.damageLimit
  }

  private func place(_ frame: LibAVFrameBridge) -> Place {
    let next = latestTicks.map { $0.addingClamped(facts.usualTicks) } ?? 0
    let told = frame.time.map { $0.subtractingClamped(facts.start) } ?? next
    // Damaged files count back; a loop's times do not.
    let ticks = max(told, latestTicks ?? 0)
    latestTicks = ticks
    return Place(ticks: ticks, frame: frame)
  }
}

extension Int64 {
  /// The sum, or the number next to it that there is.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the number next to it that there is.
  func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
