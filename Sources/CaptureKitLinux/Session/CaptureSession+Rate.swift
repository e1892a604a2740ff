import Synchronization

extension CaptureSession {
  /// Says why a camera's rate is low: from its exposure, from the bandwidth, from who takes its
  /// frames.
  ///
  /// It asks the camera for its exposure, which may take some milliseconds; call it where waiting
  /// is allowed.
  ///
  /// - Parameter input: The camera; nil for the session's first.
  /// - Returns: What was found; `unknown` where the camera does not run.
  public func rateReport(for input: CaptureDeviceInput? = nil) -> CaptureRateReport {
    let loop = storage.withLock { storage in
      storage.loops.first { input == nil || $0.input === input }
    }
    guard let loop else {
      let name = (input ?? inputs.first)?.device.localizedName ?? "The session"
      return RateDiagnosis(deviceName: name).report
    }
    let device = loop.device
    let (statistics, recent) = loop.statisticsWithRecent
    var diagnosis = RateDiagnosis(deviceName: device.localizedName)
    diagnosis.requested = loop.request.frameDuration
    diagnosis.nominal = statistics.nominalFrameDuration
    diagnosis.delivered = statistics.deliveredFramesPerSecond
    diagnosis.recent = recent
    // V4L2 counts exposure in units of 100 µs.
    diagnosis.exposure = (try? device.value(of: .exposureTime))?.number.map {
      .microseconds(min(max($0, 0), 1_000_000_000)) * 100
    }
    diagnosis.exposureMayLowerRate =
      (try? device.value(of: .exposureMayLowerFrameRate))?.isOn ?? false
    return diagnosis.report
  }
}

extension StreamLoop {
  /// The counters, and what has changed in them lately.
  fileprivate var statisticsWithRecent: (CaptureStatistics, CaptureStatistics) {
    let statistics = statistics
    return (statistics, state.withLock { $0.recent.change(to: $0.counters) })
  }
}
