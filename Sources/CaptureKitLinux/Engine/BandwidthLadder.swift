import Imaging

/// What to ask a camera for when the USB bus has no room for the usual format; pure.
///
/// The picture's size stays: compressed instead of raw first, then fewer frames a second.
enum BandwidthLadder {
  /// How many requests are tried at most.
  static let limit = 4

  /// What needs less than a request, in the order in which it is to be tried.
  ///
  /// - Parameters:
  ///   - request: What the bus had no room for.
  ///   - formats: What the camera offers.
  /// - Returns: Requests of the same size.
  static func alternatives(
    to request: CaptureFormat, from formats: [CaptureDevice.Format]
  ) -> [CaptureFormat] {
    let sameSize = formats.compactMap { $0.narrowed(to: request.dimensions) }
    let compressed = request.pixelFormat.isJPEG ? nil : sameSize.first { $0.pixelFormat.isJPEG }
    var found: [CaptureFormat] = []
    if let compressed {
      found.append(
        with(compressed, at: request.frameDuration.flatMap(compressed.nearest), request))
    }
    for format in [compressed, sameSize.first { $0.pixelFormat == request.pixelFormat }] {
      guard let format else { continue }
      let base = request.frameDuration ?? format.minFrameDuration
      found += format.slower(than: base).prefix(2).map { with(format, at: $0, request) }
    }
    return Array(found.prefix(limit))
  }

  private static func with(
    _ format: CaptureDevice.Format, at duration: FrameDuration?, _ request: CaptureFormat
  ) -> CaptureFormat {
    CaptureFormat(
      pixelFormat: format.pixelFormat, dimensions: request.dimensions,
      frameDuration: duration ?? format.minFrameDuration)
  }
}

extension CaptureDevice.Format {
  /// The shortest duration offered that is no shorter than another.
  fileprivate func nearest(_ duration: FrameDuration) -> FrameDuration? {
    videoSupportedFrameRateRanges.first { $0.maxFrameDuration >= duration }
      .map { max($0.minFrameDuration, duration) }
  }

  /// Durations that save at least a third, shortest first.
  fileprivate func slower(than duration: FrameDuration?) -> [FrameDuration] {
    guard let duration else { return [] }
    return videoSupportedFrameRateRanges.map(\.maxFrameDuration).filter {
      $0.framesPerSecond * 3 <= duration.framesPerSecond * 2
    }.sorted()
  }
}
