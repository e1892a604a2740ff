import Imaging

/// Chooses what a camera is asked for; pure.
///
/// A preset wants colour, then a rate that the camera really delivers over its bus, then its size,
/// then quality: raw samples before JPEG, which has artefacts and must be decoded by whoever looks
/// at it, and both before what has to be converted. A preset for photos puts the size before the
/// rate.
struct FormatNegotiator {
  /// What the camera offers.
  let formats: [CaptureDevice.Format]
  /// What the user allows.
  var limits = FrameDurationLimits()
  /// What the camera's bus carries, in bytes a second; nil where it is no limit.
  var busBandwidth: Int?

  /// The request for a camera.
  ///
  /// - Parameters:
  ///   - chosen: The format that the user chose for the device; it wins over the preset.
  ///   - preset: What the session is tuned for.
  /// - Returns: nil where no format fits, or none can be read by this library.
  func request(
    chosen: CaptureDevice.Format?, preset: CaptureSession.Preset
  ) -> CaptureFormat? {
    if let chosen { return request(for: chosen) }
    return request(for: preset)
  }

  /// The request for the format that the user chose: its largest size, its highest rate.
  private func request(for chosen: CaptureDevice.Format) -> CaptureFormat? {
    guard chosen.fits(limits) else { return nil }
    return chosen.request(frameDuration: chosen.rates(within: limits).first?.minFrameDuration)
  }

  private func request(for preset: CaptureSession.Preset) -> CaptureFormat? {
    guard let target = PresetTarget(preset) else { return nil }
    return formats.lazy.filter(\.isReadable).compactMap { candidate(for: target, in: $0) }
      .min { target.rank($0).lexicographicallyPrecedes(target.rank($1)) }?
      .request
  }

  /// The frame duration that presets want, unless the user wants another.
  private var wanted: FrameDuration {
    let longest = limits.longest.map { min($0, .thirtieth) } ?? .thirtieth
    return limits.shortest.map { max($0, longest) } ?? longest
  }

  private func candidate(
    for target: PresetTarget, in format: CaptureDevice.Format
  ) -> FormatCandidate? {
    guard let size = target.size(in: format), let narrowed = format.narrowed(to: size),
      narrowed.fits(limits)
    else { return nil }
    let fastest = busBandwidth.flatMap { bandwidth in
      narrowed.byteCount.flatMap { BusLoad.shortestDuration(of: $0, at: bandwidth) }
    }
    let duration = narrowed.duration(near: wanted, within: limits, noShorterThan: fastest)
    return FormatCandidate(
      request: narrowed.request(frameDuration: duration), wanted: wanted,
      delivered: [duration, fastest].compactMap(\.self).max(), conversion: format.conversion)
  }
}

extension FormatNegotiator {
  init(_ device: CaptureDevice, _ formats: [CaptureDevice.Format]) {
    self.init(
      formats: formats, limits: device.frameDurationLimits,
      busBandwidth: device.description.busBandwidth)
  }
}

extension CaptureDevice.Format {
  /// The offered duration to ask for: the longest that is not longer than wanted, else the
  /// shortest.
  ///
  /// A camera that is asked for more frames than are wanted would expose each for a shorter time.
  ///
  /// - Parameters:
  ///   - wanted: The duration that is wanted.
  ///   - limits: What the user allows; something within them is offered.
  ///   - floor: What the bus can carry; where nothing offered is as long, the longest is asked for.
  /// - Returns: nil where the driver says nothing of durations.
  fileprivate func duration(
    near wanted: FrameDuration, within limits: FrameDurationLimits,
    noShorterThan floor: FrameDuration?
  ) -> FrameDuration? {
    let offered = rates(within: limits)
    var limits = limits
    limits.shortest = [limits.shortest, floor].compactMap(\.self).max()
    let feasible = rates(within: limits)
    guard !feasible.isEmpty else { return offered.map(\.maxFrameDuration).max() }
    let fast = feasible.filter { $0.minFrameDuration <= wanted }.map {
      min($0.maxFrameDuration, wanted)
    }
    return fast.max() ?? feasible.first?.minFrameDuration
  }
}
