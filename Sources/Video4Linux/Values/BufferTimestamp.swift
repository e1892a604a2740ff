/// When a frame was taken, with what the driver says about the clock.
package struct BufferTimestamp: Hashable, Sendable {
  /// The clock that was read, as of `V4L2_BUF_FLAG_TIMESTAMP_*`.
  package enum Clock: Hashable, Sendable {
    /// CLOCK_MONOTONIC.
    case monotonic
    /// Whatever was put in at a device's other side.
    case copy
    case unknown
  }

  /// When it was read, as of `V4L2_BUF_FLAG_TSTAMP_SRC_*`.
  package enum Source: Hashable, Sendable {
    case endOfFrame
    case startOfExposure
  }

  /// Of the clock's own time line; nil where the stamp is zero, negative or not a time at all.
  package let nanoseconds: UInt64?
  package let clock: Clock
  package let source: Source

  package init(nanoseconds: UInt64?, clock: Clock, source: Source) {
    self.nanoseconds = nanoseconds
    self.clock = clock
    self.source = source
  }

  /// Reads a buffer's stamp and its flags.
  package init(seconds: Int64, microseconds: Int64, flags: BufferFlags) {
    switch flags.rawValue & 0x0000_e000 {
    case 0x0000_2000: clock = .monotonic
    case 0x0000_4000: clock = .copy
    default: clock = .unknown
    }
    // Only the two known values are defined; anything else is treated as the usual one.
    source = flags.rawValue & 0x0007_0000 == 0x0001_0000 ? .startOfExposure : .endOfFrame
    nanoseconds = Self.nanoseconds(seconds: seconds, microseconds: microseconds)
  }

  private static func nanoseconds(seconds: Int64, microseconds: Int64) -> UInt64? {
    guard seconds >= 0, 0..<1_000_000 ~= microseconds else { return nil }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    let (sum, carry) = product.addingReportingOverflow(UInt64(microseconds) * 1000)
    return carry || sum == 0 ? nil : sum
  }
}
