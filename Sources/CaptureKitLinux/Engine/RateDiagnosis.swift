/// Finds out why a rate is low from what is known; pure.
struct RateDiagnosis: Sendable {
  var deviceName: String
  var requested: FrameDuration?
  var nominal: FrameDuration?
  var delivered: Double?
  /// What has become of frames within the last seconds.
  var recent = CaptureStatistics()
  /// How long a frame is exposed; nil where the camera does not say.
  var exposure: Duration?
  /// Whether the camera may expose for longer than a frame's time, by making that longer.
  var exposureMayLowerRate = false

  /// So much less than it should be counts as low.
  private static let tolerance = 0.9

  var report: CaptureRateReport {
    let (cause, sentence) = finding
    return CaptureRateReport(
      cause: cause, requestedFrameDuration: requested, nominalFrameDuration: nominal,
      deliveredFramesPerSecond: delivered, sentence: sentence)
  }

  private var finding: (CaptureRateReport.Cause, String) {
    guard let delivered else {
      return (
        .unknown, "\(deviceName) is not running, or has sent too few frames to tell its rate."
      )
    }
    let rate = "\(deviceName) delivers \(rounded(delivered)) frames per second"
    let isLow = nominal.map { delivered < $0.framesPerSecond * Self.tolerance } ?? false
    let all = max(1, recent.delivered &+ recent.outOfBuffers &+ recent.lost &+ recent.damaged)
    func isMuch(_ count: UInt64) -> Bool { Double(count) > Double(all) * (1 - Self.tolerance) }
    if isMuch(recent.outOfBuffers) {
      return (.consumer, "\(rate), since the program keeps frames: let go of them sooner.")
    }
    if isMuch(recent.late) {
      return (
        .consumer,
        "\(rate), and the program is too slow for \(recent.late) of its last \(recent.delivered): do "
          + "less with each frame, or elsewhere."
      )
    }
    if isMuch(recent.damaged) {
      return (
        .damage, "\(rate), since many come damaged: look at its cable, or use less bandwidth."
      )
    }
    if isLow, let exposure, let nominal, exposure > nominal.duration {
      return (
        .exposure,
        "\(rate), since each is exposed for \(exposure): give it more light, or a shorter exposure."
      )
    }
    if isMuch(recent.lost) {
      return (
        .bandwidth,
        "\(rate), since others are lost before they come here: use MJPEG, a smaller size, or another "
          + "USB port."
      )
    }
    if isLow, exposureMayLowerRate {
      return (
        .exposure,
        "\(rate), since it may expose for longer than a frame's time: give it more light, or switch "
          + "exposureMayLowerFrameRate off."
      )
    }
    if isLow {
      return (.camera, "\(rate), less than it settled for, and does not say why.")
    }
    if let requested, let nominal,
      nominal.framesPerSecond < requested.framesPerSecond * Self.tolerance
    {
      return (
        .bandwidth,
        "\(rate): it settled for that instead of \(rounded(requested.framesPerSecond)). Another format "
          + "or a smaller size may have more."
      )
    }
    return (.none, "\(rate), as it should.")
  }

  private func rounded(_ rate: Double) -> String { "\((rate * 10).rounded() / 10)" }
}
