import Imaging

/// Chooses what a camera is asked for; pure.
enum FormatNegotiator {
  /// The request for a camera under a preset.
  ///
  /// - Parameters:
  ///   - formats: What the camera offers.
  ///   - chosen: The format that the user chose for the device; it wins over the preset.
  ///   - preset: What the session is tuned for.
  /// - Returns: nil where no format fits, or none can be read by this library.
  static func request(
    from formats: [CaptureDevice.Format], chosen: CaptureDevice.Format?,
    preset: CaptureSession.Preset
  ) -> CaptureFormat? {
    if let chosen { return chosen.request() }
    let readable = formats.filter { canRead($0.pixelFormat) }
    guard let target = Target(preset) else { return nil }
    return readable.compactMap { candidate(for: target, in: $0) }
      .min { target.prefers($0, to: $1) }?
      .request
  }

  /// Whether photos can be made of a format.
  static func canRead(_ format: PixelFormat) -> Bool {
    format.isJPEG || PixelLayout(format: format, width: 16, height: 16) != nil
  }

  private struct Candidate {
    var request: CaptureFormat
    var pixelCount: Int { request.dimensions.pixelCount }
    /// Fast enough for video: 24 frames a second, or a camera that does not say.
    var isFluent: Bool { (request.frameDuration?.framesPerSecond ?? 24) > 23.5 }
  }

  private static func candidate(for target: Target, in format: CaptureDevice.Format) -> Candidate? {
    guard let size = target.size(in: format), let narrowed = format.narrowed(to: size) else {
      return nil
    }
    return Candidate(request: narrowed.request())
  }

  /// A preset as a size to aim at.
  private enum Target {
    case largest
    case exactly(VideoDimensions)
    case near(VideoDimensions)

    init?(_ preset: CaptureSession.Preset) {
      switch preset {
      case .photo, .inputPriority: self = .largest
      case .high: self = .near(VideoDimensions(width: 1920, height: 1080))
      case .medium: self = .near(VideoDimensions(width: 640, height: 480))
      case .low: self = .near(VideoDimensions(width: 320, height: 240))
      case .vga640x480: self = .exactly(VideoDimensions(width: 640, height: 480))
      case .hd1280x720: self = .exactly(VideoDimensions(width: 1280, height: 720))
      case .hd1920x1080: self = .exactly(VideoDimensions(width: 1920, height: 1080))
      case .hd4K3840x2160: self = .exactly(VideoDimensions(width: 3840, height: 2160))
      default: return nil
      }
    }

    /// The size to use of a format; nil where it has none for this target.
    func size(in format: CaptureDevice.Format) -> VideoDimensions? {
      switch self {
      case .largest: format.maximumDimensions
      case .exactly(let size): format.offers(size) ? size : nil
      case .near(let size): format.nearest(to: size)
      }
    }

    func prefers(_ one: Candidate, to other: Candidate) -> Bool {
      let (a, b) = (rank(one), rank(other))
      return a.lexicographicallyPrecedes(b)
    }

    /// Numbers by which candidates are compared, the smallest first.
    private func rank(_ candidate: Candidate) -> [Int] {
      let quality = candidate.request.pixelFormat.isJPEG ? 0 : 1
      let slowness = Int(1000 * (candidate.request.frameDuration?.seconds ?? 0))
      switch self {
      case .largest: return [-candidate.pixelCount, quality, slowness]
      case .exactly: return [candidate.isFluent ? 0 : 1, quality, slowness]
      case .near(let size):
        // Too large costs more than too small, since it also costs rate.
        let distance = candidate.pixelCount - size.pixelCount
        let (double, overflow) = distance.multipliedReportingOverflow(by: 2)
        let penalty = distance < 0 ? -distance : overflow ? .max : double
        return [candidate.isFluent ? 0 : 1, penalty, quality, slowness]
      }
    }
  }
}

extension CaptureDevice.Format {
  /// The format's own size nearest to a wished one, by each side.
  fileprivate func nearest(to size: VideoDimensions) -> VideoDimensions {
    func side(_ wish: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
      low + (min(max(wish, low), high) - low) / step * step
    }
    return VideoDimensions(
      width: side(
        size.width, minimumDimensions.width, maximumDimensions.width, dimensionsStep.width),
      height: side(
        size.height, minimumDimensions.height, maximumDimensions.height, dimensionsStep.height))
  }
}
