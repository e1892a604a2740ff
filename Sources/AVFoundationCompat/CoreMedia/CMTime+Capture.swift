public import CaptureKitLinux

extension CMTime {
  /// A moment on the host's monotonic clock, in nanoseconds.
  public init(_ time: HostTime) {
    self.init(value: time.nanoseconds, timescale: 1_000_000_000)
  }

  /// A duration, to the nanosecond.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(
      numerator: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000),
      denominator: 1, timescale: 1_000_000_000, epoch: 0, wasRounded: false)
  }

  /// A frame's duration, exactly where a `CMTime` holds it; invalid where there is none.
  init(_ duration: FrameDuration?) {
    guard let duration else {
      self.init()
      return
    }
    if let timescale = CMTimeScale(exactly: duration.denominator) {
      self.init(value: Int64(duration.numerator), timescale: timescale)
    } else {
      self.init(
        seconds: Double(duration.numerator) / Double(duration.denominator),
        preferredTimescale: 1_000_000_000)
    }
  }

  /// The time in whole nanoseconds; of a number.
  var nanoseconds: Int64 { convertScale(1_000_000_000).value }
}
