import LinuxSystem

/// A moment on the host's monotonic clock, the one that camera drivers stamp frames with.
///
/// The kernel's `CLOCK_MONOTONIC`: it never goes back, and stands still while the machine is
/// suspended. It has no date.
public struct HostTime: Hashable, Sendable {
  /// Nanoseconds since the machine started.
  public let nanoseconds: Int64

  /// Names a moment by its nanoseconds since the machine started.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// This moment.
  public static var now: HostTime {
    HostTime(nanoseconds: Int64(clamping: LinuxKernel().monotonicNanoseconds()))
  }
}

// MARK: - InstantProtocol

extension HostTime: InstantProtocol {
  /// The moment that is `duration` later; the clock's ends are not passed.
  public func advanced(by duration: Duration) -> HostTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard overflow else { return HostTime(nanoseconds: sum) }
    return HostTime(nanoseconds: duration < .zero ? .min : .max)
  }

  /// The time from this moment to another.
  public func duration(to other: HostTime) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Whether one moment comes before another.
  public static func < (earlier: HostTime, later: HostTime) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }
}
