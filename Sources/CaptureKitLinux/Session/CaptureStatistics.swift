/// What has become of a session's frames, and what had to be done for them.
///
/// A value; read it as often as you like, at any time. Counts grow from the session's making on,
/// over all its starts.
public struct CaptureStatistics: Hashable, Sendable {
  /// Frames handed to the outputs.
  public internal(set) var delivered: UInt64 = 0
  /// Frames that the driver marked as damaged, or that were too short.
  public internal(set) var damaged: UInt64 = 0
  /// Frames for which there was no memory, because the outputs' users keep too many.
  public internal(set) var outOfBuffers: UInt64 = 0
  /// Frames that came twice.
  public internal(set) var duplicate: UInt64 = 0
  /// Frames that the driver's count says were lost before they came here.
  public internal(set) var lost: UInt64 = 0
  /// Frames that were converted, by libv4lconvert or to eight bits, because somebody asked for
  /// their pixels; see ``CaptureDevice/Format/conversion``.
  public internal(set) var converted: UInt64 = 0
  /// Frames that were handed out and turned out to be damaged when they were to be converted.
  public internal(set) var conversionFailures: UInt64 = 0
  /// Delivered frames that a consumer of a ``CaptureVideoDataOutput`` did not get, since it was
  /// busy with others or kept too many; once for each consumer.
  public internal(set) var late: UInt64 = 0
  /// Frames of zeros at the start of a stream.
  public internal(set) var blank: UInt64 = 0

  /// Times that a camera sent nothing for too long; see
  /// ``CaptureRecovery/stallLimit-swift.property``.
  public internal(set) var stalls: UInt64 = 0
  /// Passing errors of drivers that were made up for without a restart.
  public internal(set) var retries: UInt64 = 0
  /// Times that a stream was restarted, for a fault or for a change of the source.
  public internal(set) var restarts: UInt64 = 0
  /// Times that a camera was closed and opened again for a fault.
  public internal(set) var reopens: UInt64 = 0
  /// Times that a camera's USB port was reset.
  public internal(set) var usbResets: UInt64 = 0
  /// Interruptions, whatever their reason.
  public internal(set) var interruptions: UInt64 = 0
  /// Breaks in the flow of frames after which their count began afresh.
  public internal(set) var discontinuities: UInt64 = 0

  /// When the latest frame was delivered; nil before the first.
  public internal(set) var lastFrameTime: HostTime?
  /// The time between frames that the driver has settled for; nil where it does not know, where
  /// nothing runs, and where several cameras differ.
  public internal(set) var nominalFrameDuration: FrameDuration?
  /// Frames per second as they were delivered in the last two seconds, of all cameras together; nil
  /// where nothing runs or too few have come.
  public internal(set) var deliveredFramesPerSecond: Double?

  /// Nothing yet.
  public init() {}
}

// MARK: - Counting

extension CaptureStatistics {
  mutating func count(_ verdict: FrameInspector.Verdict) {
    lost &+= verdict.lost
    switch verdict.drop {
    case nil: delivered &+= 1
    case .corrupt: damaged &+= 1
    case .outOfBuffers: outOfBuffers &+= 1
    case .duplicate: duplicate &+= 1
    case .blank: blank &+= 1
    case .lost, .late, .discontinuity, .unmatched: break
    }
  }

  mutating func count(_ step: CaptureSession.RecoveryStep) {
    switch step {
    case .restart, .renegotiate: restarts &+= 1
    case .reopen: reopens &+= 1
    case .usbReset: usbResets &+= 1
    }
  }

  private static let counters: [any WritableKeyPath<Self, UInt64> & Sendable] = [
    \.delivered, \.damaged, \.outOfBuffers, \.duplicate, \.lost, \.late, \.blank, \.converted,
    \.conversionFailures, \.stalls, \.retries,
    \.restarts, \.reopens, \.usbResets, \.interruptions, \.discontinuities,
  ]

  static func + (one: Self, other: Self) -> Self {
    var sum = one
    for counter in counters { sum[keyPath: counter] &+= other[keyPath: counter] }
    sum.lastFrameTime = [one.lastFrameTime, other.lastFrameTime].compactMap { $0 }.max()
    let rates = [one.deliveredFramesPerSecond, other.deliveredFramesPerSecond].compactMap { $0 }
    sum.deliveredFramesPerSecond = rates.isEmpty ? nil : rates.reduce(0, +)
    return sum
  }

  /// What has changed since an earlier reading.
  func since(_ earlier: Self) -> Self {
    var difference = self
    for counter in Self.counters {
      difference[keyPath: counter] = self[keyPath: counter] &- earlier[keyPath: counter]
    }
    return difference
  }
}
