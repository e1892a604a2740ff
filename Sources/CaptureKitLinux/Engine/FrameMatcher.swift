import LinuxSystem

/// Puts frames of several cameras together by their stamps; pure.
///
/// The first camera that gives frames leads. Of every other camera the frame goes with a leader's
/// that is nearest to it, as soon as no nearer one is due. A camera that is silent for four of its
/// frames, by the stamps of the others, is not waited for. Each frame comes out once: in a match, or
/// as one that fits none.
struct FrameMatcher<Source: AnyObject, Frame> {
  struct Part {
    let source: Source
    let frame: Frame
  }

  struct Match {
    /// The leader's stamp.
    let time: HostTime
    /// In the order of the cameras.
    let parts: [Part]
    /// Cameras of which there is no frame.
    let missing: [Source]
  }

  enum Outcome {
    case match(Match)
    case unmatched(Frame, at: HostTime, from: Source)
  }

  /// How many frames of a camera wait at most: they keep the driver's buffers.
  static var pendingLimit: Int { 4 }
  /// After how many of its frame durations a silent camera is not waited for.
  private static var patience: Int64 { 4 }
  /// From frame to frame, where nobody knows.
  private static var usualDuration: Int64 { FrameDuration.thirtieth.duration.wholeNanoseconds }

  /// An hour: what is longer is taken for that.
  private static var longestDuration: Int64 { 3_600_000_000_000 }

  /// How far from the leader's a frame may be; nil for half of the shorter frame duration of the
  /// two cameras.
  var tolerance: Duration?
  private var cameras: [Camera] = []
  /// Of the last match: those that follow are later.
  private var lastTime: HostTime?

  fileprivate struct Pending {
    let frame: Frame
    let time: HostTime
  }

  fileprivate struct Camera {
    let source: Source
    /// By time.
    var pending: [Pending] = []
    var isRunning = false
    /// The newest stamp since the start; nil before there is one.
    var latest: HostTime?
    /// The others' newest stamp when it was started, or their first one after that.
    var startedAt: HostTime?
    /// In nanoseconds, as all durations in here: quicker reckoned with than `Duration`.
    var nominalDuration: Int64?
    /// What really passes from frame to frame; nil before there were two.
    var averageDuration: Int64?

    var duration: Int64? { nominalDuration ?? averageDuration }

    func isAwaited(until newest: HostTime?) -> Bool {
      guard isRunning, let newest, let latest = latest ?? startedAt else { return false }
      let nominal = nominalDuration ?? averageDuration ?? FrameMatcher.usualDuration
      let silence = newest.nanoseconds - latest.nanoseconds
      return silence <= max(nominal, averageDuration ?? 0) * FrameMatcher.patience
    }

    /// Whether its next frame may be one of a moment, or of one before that: cameras are not exact.
    func isDue(until moment: Int64) -> Bool {
      guard let latest, let nominal = duration else { return true }
      return latest.nanoseconds + min(nominal, averageDuration ?? nominal) / 4 * 3 <= moment
    }
  }

  private enum Decision {
    case wait
    case missing
    case take(Int)
  }

  /// Whether frames of any camera may follow.
  var isRunning: Bool { cameras.contains(where: \.isRunning) }

  /// How many frames wait of the camera that has most of them.
  var pendingCount: Int { cameras.map(\.pending.count).max() ?? 0 }
}

// MARK: - What happens

extension FrameMatcher {
  /// A camera is there, before those that were at an index and behind.
  mutating func add(_ source: Source, at index: Int) {
    guard find(source) == nil else { return }
    cameras.insert(Camera(source: source), at: min(index, cameras.count))
  }

  /// A camera is no longer there.
  mutating func remove(_ source: Source) -> [Outcome] {
    guard let index = find(source) else { return [] }
    let camera = cameras.remove(at: index)
    return camera.pending.map { .unmatched($0.frame, at: $0.time, from: source) } + settle()
  }

  /// A camera has started, or was started anew.
  mutating func start(_ source: Source, duration: Duration?) {
    guard let index = find(source) else { return }
    cameras[index].isRunning = true
    cameras[index].latest = nil
    cameras[index].startedAt = newest
    cameras[index].nominalDuration =
      duration.map { min($0.wholeNanoseconds, Self.longestDuration) }
      .flatMap { $0 > 0 ? $0 : nil }
    cameras[index].averageDuration = nil
  }

  /// No more frames of a camera follow.
  mutating func end(_ source: Source) -> [Outcome] {
    guard let index = find(source) else { return [] }
    cameras[index].isRunning = false
    cameras[index].latest = nil
    return settle()
  }

  /// A frame has come.
  mutating func put(_ frame: Frame, at time: HostTime, from source: Source) -> [Outcome] {
    guard let index = find(source) else { return [.unmatched(frame, at: time, from: source)] }
    let place = (cameras[index].pending.lastIndex { $0.time <= time } ?? -1) + 1
    cameras[index].pending.insert(Pending(frame: frame, time: time), at: place)
    cameras[index].isRunning = true
    cameras[index].note(time)
    return settle()
  }

  /// A camera had a frame at a moment that nobody gets.
  mutating func pass(_ time: HostTime, of source: Source) -> [Outcome] {
    guard let index = find(source) else { return [] }
    cameras[index].isRunning = true
    cameras[index].note(time)
    return settle()
  }

  private func find(_ source: Source) -> Int? { cameras.firstIndex { $0.source === source } }
}

extension FrameMatcher.Camera {
  fileprivate mutating func note(_ time: HostTime) {
    guard let latest else { return latest = time }
    guard time > latest else { return }
    self.latest = time
    let step = time.nanoseconds - latest.nanoseconds
    // One gap says little of what is usual.
    averageDuration =
      averageDuration.map { ($0 * 3 + min(step, $0 * 2)) / 4 }
      ?? min(step, FrameMatcher.longestDuration)
  }
}

// MARK: - What follows

extension FrameMatcher {
  /// Decides about all frames that can be decided about.
  private mutating func settle() -> [Outcome] {
    var outcomes: [Outcome] = []
    let newest = newest
    for index in cameras.indices where cameras[index].startedAt == nil {
      cameras[index].startedAt = newest
    }
    while let leader = cameras.firstIndex(where: {
      !$0.pending.isEmpty || $0.isAwaited(until: newest)
    }), let first = cameras[leader].pending.first {
      guard lastTime.map({ first.time > $0 }) ?? true else {
        drop(1, of: leader, &outcomes)
        continue
      }
      let isForced = pendingCount > Self.pendingLimit
      dropPassed(by: first.time, leader: leader, &outcomes)
      let decisions = cameras.indices.map {
        decide($0, leader: leader, newest: newest, isForced: isForced)
      }
      guard !decisions.contains(where: { if case .wait = $0 { true } else { false } }) else {
        break
      }
      outcomes.append(.match(take(decisions, at: first.time, &outcomes)))
      lastTime = first.time
    }
    for index in cameras.indices where cameras[index].pending.count > Self.pendingLimit {
      drop(cameras[index].pending.count - Self.pendingLimit, of: index, &outcomes)
    }
    return outcomes
  }

  private var newest: HostTime? {
    var newest: HostTime?
    for camera in cameras {
      if let latest = camera.latest { newest = newest.map { max($0, latest) } ?? latest }
    }
    return newest
  }

  private func tolerance(_ one: Camera, _ other: Camera) -> Int64 {
    if let tolerance { return max(.zero, tolerance).wholeNanoseconds }
    guard let first = one.duration else { return (other.duration ?? Self.usualDuration) / 2 }
    return min(first, other.duration ?? first) / 2
  }

  /// Drops what no frame of the leader can want any more.
  private mutating func dropPassed(
    by time: HostTime, leader: Int, _ outcomes: inout [Outcome]
  ) {
    for index in cameras.indices where index != leader {
      let earliest = time.nanoseconds - tolerance(cameras[leader], cameras[index])
      let count = cameras[index].pending.prefix { $0.time.nanoseconds < earliest }.count
      drop(count, of: index, &outcomes)
    }
  }

  private mutating func drop(_ count: Int, of index: Int, _ outcomes: inout [Outcome]) {
    for late in cameras[index].pending.prefix(count) {
      outcomes.append(.unmatched(late.frame, at: late.time, from: cameras[index].source))
    }
    cameras[index].pending.removeFirst(count)
  }

  /// What of a camera goes with the leader's first frame.
  private func decide(
    _ index: Int, leader: Int, newest: HostTime?, isForced: Bool
  ) -> Decision {
    guard index != leader else { return .take(0) }
    let (camera, lead) = (cameras[index], cameras[leader])
    let time = lead.pending[0].time.nanoseconds
    let isAwaited = !isForced && camera.isAwaited(until: newest)
    guard let nearest = nearest(in: camera, to: lead) else {
      let mayCome =
        (camera.latest.map { $0.nanoseconds < time } ?? true)
        && camera.isDue(until: time + min(tolerance(lead, camera), Self.longestDuration))
      return isAwaited && mayCome ? .wait : .missing
    }
    let found = camera.pending[nearest].time.nanoseconds
    let distance = abs(found - time)
    if found < time, nearest == camera.pending.count - 1, isAwaited {
      // The next one may be nearer.
      if let duration = camera.duration, abs(found + duration - time) < distance { return .wait }
    } else if found > time, lead.pending.count == 1, !isForced, lead.isAwaited(until: newest) {
      // The leader's next one may be nearer.
      if let duration = lead.duration, abs(time + duration - found) < distance { return .wait }
    }
    return .take(nearest)
  }

  /// A camera's frame that is nearest to the leader's first one, if it is near enough, and not
  /// nearer to the leader's next.
  private func nearest(in camera: Camera, to lead: Camera) -> Int? {
    let time = lead.pending[0].time.nanoseconds
    let next = lead.pending.count > 1 ? lead.pending[1].time.nanoseconds : nil
    let limit = tolerance(lead, camera)
    var best: (place: Int, distance: Int64)?
    for (place, pending) in camera.pending.enumerated() {
      let other = pending.time.nanoseconds
      let distance = abs(other - time)
      guard distance <= limit, distance < best?.distance ?? .max else { continue }
      if let next, abs(other - next) < distance { continue }
      best = (place, distance)
    }
    return best?.place
  }

  /// Carries decisions out; frames before those that are taken fit nothing.
  private mutating func take(
    _ decisions: [Decision], at time: HostTime, _ outcomes: inout [Outcome]
  ) -> Match {
    var parts: [Part] = []
    var missing: [Source] = []
    for (index, decision) in decisions.enumerated() {
      guard case .take(let place) = decision else {
        missing.append(cameras[index].source)
        continue
      }
      drop(place, of: index, &outcomes)
      parts.append(
        Part(source: cameras[index].source, frame: cameras[index].pending.removeFirst().frame))
    }
    return Match(time: time, parts: parts, missing: missing)
  }
}

extension FrameMatcher: Sendable where Source: Sendable, Frame: Sendable {}
extension FrameMatcher.Part: Sendable where Source: Sendable, Frame: Sendable {}
extension FrameMatcher.Match: Sendable where Source: Sendable, Frame: Sendable {}
extension FrameMatcher.Outcome: Sendable where Source: Sendable, Frame: Sendable {}
extension FrameMatcher.Pending: Sendable where Frame: Sendable {}
extension FrameMatcher.Camera: Sendable where Source: Sendable, Frame: Sendable {}
