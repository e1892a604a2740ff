import CaptureKitLinux
import Imaging

/// A camera's script, and what of it has not happened yet.
struct MockScript: Sendable {
  /// As it was set.
  let events: [MockEvent]
  private var remaining: [MockEvent]

  init(_ events: [MockEvent]) {
    self.events = events
    remaining = events
  }

  private mutating func takeFirst(where matches: (MockEvent) -> Bool) -> MockEvent? {
    remaining.firstIndex(where: matches).map { remaining.remove(at: $0) }
  }

  private func firstValue<Value>(_ value: (MockEvent) -> Value?) -> Value? {
    remaining.lazy.compactMap(value).first
  }
}

// MARK: - What happens

extension MockScript {
  /// How long the camera is gone.
  enum Absence: Equatable {
    case lasting
    case brief(Duration)
  }

  /// Unplugs when the frame it waits for is out; later ones wait for this one.
  mutating func takeUnplug(beforeFrame next: UInt64) -> Absence? {
    let index = remaining.firstIndex { event in
      if case .unplug = event { true } else { false }
    }
    guard let index, case .unplug(let last) = remaining[index], last < Int(clamping: next) else {
      return nil
    }
    remaining.remove(at: index)
    for later in remaining[index...].indices {
      switch remaining[later] {
      case .unplug: return .lasting
      case .replug(let delay):
        remaining.remove(at: later)
        return .brief(delay)
      default: continue
      }
    }
    return .lasting
  }

  mutating func takeStall(afterFrame frame: UInt64) -> Duration {
    var total = Duration.zero
    while case .stall(_, let delay)? = takeFirst(where: {
      if case .stall(let last, _) = $0 { UInt64(exactly: last) == frame } else { false }
    }) {
      total += delay
    }
    return total
  }

  mutating func takeFailure(beforeFrame next: UInt64) -> CaptureError? {
    let event = takeFirst {
      if case .fails(let last, _) = $0 { last == Int(clamping: next) - 1 } else { false }
    }
    guard case .fails(_, let error)? = event else { return nil }
    return error
  }

  mutating func takeDrop(at frame: UInt64) -> Bool {
    takeFirst {
      if case .dropFrame(let number) = $0 { UInt64(exactly: number) == frame } else { false }
    } != nil
  }

  mutating func takeFaults(at frame: UInt64) -> FrameFaults {
    var faults: FrameFaults = []
    remaining.removeAll { event in
      let (number, fault): (Int, FrameFaults)
      switch event {
      case .shortFrame(let at): (number, fault) = (at, .short)
      case .errorFlag(let at): (number, fault) = (at, .flagged)
      case .truncatedJPEG(let at): (number, fault) = (at, .truncatedJPEG)
      default: return false
      }
      guard UInt64(exactly: number) == frame else { return false }
      faults.insert(fault)
      return true
    }
    return faults
  }
}

// MARK: - What holds

extension MockScript {
  var isBusy: Bool {
    firstValue { if case .busy = $0 { true } else { nil } } ?? false
  }
  var isSilent: Bool {
    firstValue { if case .silence = $0 { true } else { nil } } ?? false
  }
  var isForbidden: Bool {
    firstValue { if case .noPermission = $0 { true } else { nil } } ?? false
  }
  var hasUnknownTimestamps: Bool {
    firstValue { if case .unknownTimestamps = $0 { true } else { nil } } ?? false
  }
  var blackFrameCount: Int {
    firstValue { if case .blackFrames(let count) = $0 { count } else { nil } } ?? 0
  }
  var staleFrameCount: Int {
    max(0, firstValue { if case .staleFrames(let count) = $0 { count } else { nil } } ?? 0)
  }
  var startDelay: Duration {
    firstValue { if case .slowStart(let delay) = $0 { delay } else { nil } } ?? .zero
  }
  func startError(for pixelFormat: PixelFormat) -> CaptureError? {
    firstValue { event in
      switch event {
      case .failsToStart(let error): error
      case .noBandwidth(pixelFormat): CaptureError(.usbBandwidth)
      default: nil
      }
    }
  }
  /// The controls that fail, and how.
  var controlRefusals: [CaptureControl.ID: CaptureError] {
    let refusals = remaining.compactMap { event in
      if case .controlFails(let id, let error) = event { (id, error) } else { nil }
    }
    return Dictionary(refusals) { first, _ in first }
  }
  var deliveredSize: VideoDimensions? {
    firstValue { if case .wrongSize(let size) = $0 { size } else { nil } }
  }
}

/// What is wrong with one frame.
struct FrameFaults: OptionSet, Sendable {
  let rawValue: UInt8

  static let short = FrameFaults(rawValue: 1)
  static let flagged = FrameFaults(rawValue: 2)
  static let truncatedJPEG = FrameFaults(rawValue: 4)
  static let black = FrameFaults(rawValue: 8)
}
