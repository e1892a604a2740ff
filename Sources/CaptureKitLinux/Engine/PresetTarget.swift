/// A preset as a size to aim at; pure.
enum PresetTarget {
  case largest
  case exactly(VideoDimensions)
  case near(VideoDimensions)

  /// Nil for a preset that this library does not know.
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

  /// The sizes of a format that presets choose.
  static func sizes(in format: CaptureDevice.Format) -> Set<VideoDimensions> {
    let presets: [CaptureSession.Preset] = [
      .photo, .high, .medium, .low, .vga640x480, .hd1280x720, .hd1920x1080, .hd4K3840x2160,
    ]
    return Set(presets.compactMap { PresetTarget($0)?.size(in: format) })
  }

  /// The size to use of a format; nil where it has none for this target.
  func size(in format: CaptureDevice.Format) -> VideoDimensions? {
    switch self {
    case .largest: format.maximumDimensions
    case .exactly(let size): format.offers(size) ? size : nil
    case .near(let size): format.nearest(to: size)
    }
  }

  /// Numbers by which candidates are compared, the smallest first.
  func rank(_ candidate: FormatCandidate) -> [Int] {
    let rest = [candidate.loss, candidate.rateDistance]
    switch self {
    case .largest:
      return [candidate.isGrey, -candidate.pixelCount, candidate.isSlow] + rest
    case .exactly:
      return [candidate.isGrey, candidate.isSlow] + rest
    case .near(let size):
      return [candidate.isGrey, candidate.isSlow, penalty(of: candidate, for: size)] + rest
    }
  }

  /// Too large costs more than too small, since it also costs time.
  private func penalty(of candidate: FormatCandidate, for size: VideoDimensions) -> Int {
    let distance = candidate.pixelCount - size.pixelCount
    guard distance > 0 else { return -distance }
    let (double, overflow) = distance.multipliedReportingOverflow(by: 2)
    return overflow ? .max : double
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
