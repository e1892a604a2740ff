import Imaging

/// Looks at each frame of a stream before anybody gets it; pure.
///
/// Finds damaged, repeated, missing and blank frames, and stamps that cannot be true.
struct FrameInspector {
  /// What is to become of a frame.
  struct Verdict {
    /// Frames that the driver's count says were lost before this one.
    var lost: UInt64 = 0
    /// Why the frame itself is dropped; nil where it is delivered.
    var drop: FrameDropReason?
    /// The frame's stamp, corrected where it cannot be true.
    var timestamp: FrameTimestamp
  }

  /// Drivers' counts have 32 bits; a jump by more than this is a restart of the count, not a gap.
  private static let largestGap: UInt64 = 1 << 16
  /// Blank frames are looked for at the start of a stream only.
  private static let blankFrameLimit = 10
  /// How long a frame may have waited: a stamp from longer ago is of another clock.
  private static let oldest = Duration.seconds(60)
  /// How far ahead the end of a frame may be: drivers have been seen (vivid is one) that deliver a
  /// frame at its beginning and stamp it with its end.
  private static let furthest = Duration.seconds(2)

  private var last: (sequence: UInt64, time: HostTime)?
  private var lastPlausibleTime: HostTime?
  private var framesWithoutContent = 0

  /// Judges a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame as it came.
  ///   - now: The moment of its pickup.
  /// - Returns: What is to become of it.
  mutating func inspect(_ frame: CapturedFrame, now: HostTime) -> Verdict {
    var verdict = Verdict(timestamp: corrected(frame.timestamp, now: now))
    // A driver that neither stamps nor counts says the same of each frame; that makes none a
    // repetition.
    let isStamped = frame.timestamp.time.nanoseconds > 0
    if let last, isStamped, frame.sequence == last.sequence, frame.timestamp.time == last.time {
      verdict.drop = .duplicate
      return verdict
    }
    if let last, frame.sequence > last.sequence {
      let gap = frame.sequence - last.sequence - 1
      verdict.lost = gap <= Self.largestGap ? gap : 0
    }
    last = (frame.sequence, frame.timestamp.time)
    if let reason = frame.dropReason {
      verdict.drop = reason
    } else if isBlank(frame) {
      verdict.drop = .blank
    }
    return verdict
  }

  /// Cameras that stamp with zero, with another clock, or with the future are not believed.
  private mutating func corrected(_ stamp: FrameTimestamp, now: HostTime) -> FrameTimestamp {
    let age = stamp.time.duration(to: now)
    // An exposure cannot begin after now; a frame that is here has ended by now.
    let earliestAge = stamp.reference == .endOfFrame ? .zero - Self.furthest : .zero
    guard stamp.time.nanoseconds > 0, (earliestAge...Self.oldest).contains(age) else {
      return FrameTimestamp(now, .pickup)
    }
    let time = min(stamp.time, now)
    guard lastPlausibleTime.map({ time >= $0 }) ?? true else {
      return FrameTimestamp(now, .pickup)
    }
    lastPlausibleTime = time
    return FrameTimestamp(time, stamp.reference)
  }

  /// All zeros are a buffer that the camera has not filled; in YUV they show as green.
  private mutating func isBlank(_ frame: CapturedFrame) -> Bool {
    guard framesWithoutContent < Self.blankFrameLimit, let layout = frame.layout,
      layout.format != .grey
    else { return false }
    let bytes = frame.bytes
    for offset in 0..<bytes.byteCount
    where bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) != 0 {
      framesWithoutContent = Self.blankFrameLimit
      return false
    }
    framesWithoutContent += 1
    return true
  }
}
