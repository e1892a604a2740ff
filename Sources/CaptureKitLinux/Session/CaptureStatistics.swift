/// What has become of a session's frames since it started.
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
  /// Frames that were converted, by libv4lconvert or to eight bits, because somebody asked for their pixels; see
  /// ``CaptureDevice/Format/conversion``.
  public internal(set) var converted: UInt64 = 0
  /// Frames that were handed out and turned out to be damaged when they were to be converted.
  public internal(set) var conversionFailures: UInt64 = 0
  /// Frames of zeros at the start of a stream.
  public internal(set) var blank: UInt64 = 0

  mutating func count(_ verdict: FrameInspector.Verdict) {
    lost &+= verdict.lost
    switch verdict.drop {
    case nil: delivered &+= 1
    case .corrupt: damaged &+= 1
    case .outOfBuffers: outOfBuffers &+= 1
    case .duplicate: duplicate &+= 1
    case .blank: blank &+= 1
    case .lost, .late, .discontinuity: break
    }
  }

  static func + (one: Self, other: Self) -> Self {
    var sum = one
    sum.delivered &+= other.delivered
    sum.damaged &+= other.damaged
    sum.outOfBuffers &+= other.outOfBuffers
    sum.duplicate &+= other.duplicate
    sum.lost &+= other.lost
    sum.blank &+= other.blank
    sum.converted &+= other.converted
    sum.conversionFailures &+= other.conversionFailures
    return sum
  }
}
