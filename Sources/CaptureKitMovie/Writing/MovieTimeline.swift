import CaptureKitLinux
import LinuxSystem

/// Makes a movie's times of the camera's stamps; pure.
///
/// The first frame is at zero, the others as far from it as their stamps are, pauses cut out. Times
/// grow from frame to frame by a tick at least, whatever the stamps do.
struct MovieTimeline {
  /// Seconds of a tick are `numerator / denominator`.
  struct TimeBase: Hashable, Sendable {
    var numerator: Int64
    var denominator: Int64

    /// Ticks, rounded to the nearest.
    func ticks(ofNanoseconds nanoseconds: Int64) -> Int64 {
      let product = nanoseconds.multipliedFullWidth(by: denominator)
      let (divisor, isTooLarge) = numerator.multipliedReportingOverflow(by: 1_000_000_000)
      guard !isTooLarge, divisor > 0, nanoseconds >= 0, denominator > 0 else { return 0 }
      // Beyond 64 bits is beyond any movie.
      guard product.high < divisor / 2 else { return .max / 2 }
      let (quotient, rest) = divisor.dividingFullWidth(product)
      return quotient + (rest >= divisor - rest ? 1 : 0)
    }

    /// The duration of ticks, to the nanosecond.
    func duration(ofTicks ticks: Int64) -> Duration {
      let (whole, rest) = ticks.quotientAndRemainder(dividingBy: max(denominator, 1))
      let seconds = whole.multipliedReportingOverflow(by: numerator)
      guard !seconds.overflow else { return .zero }
      let part = rest.multipliedFullWidth(
        by: numerator.multipliedReportingOverflow(
          by: 1_000_000_000
        ).partialValue)
      return .seconds(seconds.partialValue)
        + .nanoseconds(max(denominator, 1).dividingFullWidth(part).quotient)
    }
  }

  /// A stamp that is so much earlier than the one before is of a clock that was set back.
  static let largestStepBack: Int64 = 1_000_000_000
  /// One that is so much later, of a clock that was set forward.
  private static let largestGap: Int64 = 3_600_000_000_000

  let timeBase: TimeBase
  /// The time from frame to frame where nothing better is known, in nanoseconds.
  private let usualStep: Int64
  private let largestGapTicks: Int64
  /// What is to be taken off a stamp for its time in the movie.
  private var offset: Int64 = 0
  private var last: (stamp: Int64, time: Int64, ticks: Int64)?
  private var isResuming = false

  /// - Parameters:
  ///   - timeBase: The container's.
  ///   - frameDuration: The camera's nominal time between frames, where it is known.
  ///   - largestGapTicks: What the container bears; where stamps are farther apart, frames follow
  ///     each other as if the clock had been set forward.
  init(timeBase: TimeBase, frameDuration: FrameDuration?, largestGapTicks: Int64 = .max) {
    self.timeBase = timeBase
    self.largestGapTicks = largestGapTicks
    let tick = timeBase.duration(ofTicks: 1)
    usualStep = max(
      (frameDuration ?? .thirtieth).duration.wholeNanoseconds, tick.wholeNanoseconds, 1)
  }

  /// The camera's nominal time between frames in ticks, one at least.
  var usualTicks: Int64 { max(timeBase.ticks(ofNanoseconds: usualStep), 1) }

  /// The movie's end: that of its last frame, shown for as long as is usual.
  var end: Duration {
    last.map { timeBase.duration(ofTicks: $0.ticks + usualTicks) } ?? .zero
  }

  /// Ticks up to the last frame, its own included.
  var tickCount: Int64 { (last?.ticks ?? -1) + 1 }

  /// The next frame follows the last one as if nothing had been between them.
  mutating func cut() { isResuming = last != nil }

  /// Places a frame.
  ///
  /// - Parameter stamp: When it was taken.
  /// - Returns: Its time in ticks.
  mutating func place(_ stamp: HostTime) -> Int64 {
    let time = time(of: stamp.nanoseconds)
    var ticks = timeBase.ticks(ofNanoseconds: time)
    if let last, ticks <= last.ticks { ticks = last.ticks + 1 }
    last = (stamp.nanoseconds, time, ticks)
    isResuming = false
    return ticks
  }

  /// Whether a frame has a tick of its own. Where ticks are as long as frames and the camera sends
  /// more than it says, frames would else be shown later and later.
  func hasRoom(for stamp: HostTime) -> Bool {
    guard let last, usualTicks == 1, !isResuming else { return true }
    var copy = self
    let ticks = timeBase.ticks(ofNanoseconds: copy.time(of: stamp.nanoseconds))
    return ticks >= last.ticks
  }

  /// Where a frame would be placed, in ticks; for limits.
  func preview(_ stamp: HostTime) -> Int64 {
    var copy = self
    return copy.place(stamp)
  }

  private mutating func time(of stamp: Int64) -> Int64 {
    guard let last else {
      offset = stamp
      return 0
    }
    let (step, overflow) = stamp.subtractingReportingOverflow(last.stamp)
    let isJump = overflow || step < -Self.largestStepBack || step > Self.largestGap
    if isResuming || isJump { return follow(last.time, at: stamp) }
    // A stamp that is a little early is not believed; time does not go back.
    let time = max(last.time, stamp &- offset)
    let isWithinReach = timeBase.ticks(ofNanoseconds: time) - last.ticks <= largestGapTicks
    return isWithinReach ? time : follow(last.time, at: stamp)
  }

  /// The time of a frame that follows another as is usual; those behind it count from there.
  private mutating func follow(_ last: Int64, at stamp: Int64) -> Int64 {
    // Drivers may say that a frame takes a hundred years.
    let (sum, overflow) = last.addingReportingOverflow(usualStep)
    let time = overflow ? last : sum
    offset = stamp &- time
    return time
  }
}
