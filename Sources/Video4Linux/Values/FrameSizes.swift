/// The picture sizes of a pixel format, in the way in which the driver describes them.
package enum FrameSizes: Hashable, Sendable {
  /// Just these; empty where the driver does not say.
  case discrete([FrameSize])
  /// All within a range that lie on its steps.
  case stepwise(FrameSizeRange)
  /// All within a range.
  case continuous(FrameSizeRange)

  /// Whether a picture can have exactly this size.
  package func contains(_ size: FrameSize) -> Bool {
    switch self {
    case .discrete(let sizes): sizes.contains(size)
    case .stepwise(let range), .continuous(let range): range.contains(size)
    }
  }

  /// A short list of sizes to choose from, largest first: all discrete ones, or those of a
  /// range that people ask for, with its two ends. A range is never expanded.
  package var samples: [FrameSize] {
    let unsorted: Set<FrameSize>
    switch self {
    case .discrete(let sizes):
      unsorted = Set(sizes)
    case .stepwise(let range), .continuous(let range):
      unsorted = Set(Self.common.filter(range.contains) + [range.minimum, range.last])
    }
    return unsorted.sorted { ($0.area, $0.width) > ($1.area, $1.width) }
  }

  private static let common: [FrameSize] = [
    (160, 120), (176, 144), (320, 180), (320, 240), (352, 288), (424, 240), (640, 360), (640, 480),
    (800, 448), (800, 600), (848, 480), (960, 540), (1024, 576), (1024, 768), (1280, 720),
    (1280, 800), (1280, 960), (1280, 1024), (1600, 896), (1600, 1200), (1920, 1080), (1920, 1200),
    (2048, 1536), (2304, 1296), (2560, 1440), (2592, 1944), (3264, 2448), (3840, 2160),
    (4096, 2160), (4608, 2592), (7680, 4320),
  ].map { FrameSize(width: $0.0, height: $0.1) }
}

extension FrameSizeRange {
  /// The largest size that lies on the steps.
  fileprivate var last: FrameSize { nearest(to: maximum) }
}
