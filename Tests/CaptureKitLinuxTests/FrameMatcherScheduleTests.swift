import Testing

@testable import CaptureKitLinux

/// Thousands of schedules: rates, phases, jitter, gaps, restarts, frames out of order.
@Suite(.timeLimit(.minutes(2)))
struct FrameMatcherScheduleTests {
  struct Frame: Hashable, Sendable {
    let camera: Int
    let number: Int
    let time: Int64
  }

  typealias Lens = FrameMatcherTests.Lens
  typealias Matcher = FrameMatcher<Lens, Frame>

  enum Step {
    case frame(Frame)
    case drop(Int, Int64)
    case start(Int)
    case end(Int)
  }

  /// What a run gave.
  struct Result {
    var matches: [Matcher.Match] = []
    var unmatched: [Frame] = []
    var mostPending = 0

    mutating func note(_ outcomes: [Matcher.Outcome]) {
      for outcome in outcomes {
        switch outcome {
        case .match(let match): matches.append(match)
        case .unmatched(let frame, _, _): unmatched.append(frame)
        }
      }
    }
  }

  struct Schedule {
    var durations: [Int64] = []
    var nominal: [Duration?] = []
    var tolerance: Duration?
    var frames: [Frame] = []
    var steps: [Step] = []

    /// - Parameters:
    ///   - seed: The same schedule for the same seed.
    ///   - isRegular: Whether all cameras have one rate, and nothing happens to a frame.
    init(seed: UInt64, isRegular: Bool) {
      var random = SplitMix(seed)
      let count = isRegular ? 2 + random.below(7) : 1 + random.below(8)
      let rates: [Int64] = [120, 60, 50, 30, 25, 15, 7, 5]
      let common = rates[random.below(rates.count)]
      if !isRegular, random.below(8) == 0 {
        tolerance = .microseconds(Int64(random.below(200_000)))
      }
      var arrivals: [(time: Int64, step: Step)] = []
      for camera in 0..<count {
        let rate = isRegular || random.below(3) > 0 ? common : rates[random.below(rates.count)]
        let duration = 1_000_000 / rate
        durations.append(duration)
        let isUnknown = !isRegular && random.below(5) == 0
        nominal.append(isUnknown ? nil : .microseconds(duration))
        arrivals += Self.life(
          of: camera, every: duration, count: 5 + random.below(25), isRegular, &random)
      }
      arrivals.sort { $0.time < $1.time }
      steps = arrivals.map(\.step)
      frames = steps.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    /// One camera's frames, in microseconds, and when each of them is there.
    private static func life(
      of camera: Int, every duration: Int64, count: Int, _ isRegular: Bool, _ random: inout SplitMix
    ) -> [(time: Int64, step: Step)] {
      // Cameras that run freely, no two nearer to the middle between two frames than a fifth.
      let phase = Int64(random.below(Int(duration) * 3 / 10))
      var time = 1_000_000 + phase
      var arrivals: [(time: Int64, step: Step)] = []
      for number in 0..<count {
        var stamp = time
        var delay: Int64 = 0
        if !isRegular {
          stamp += Int64(random.below(Int(duration) / 2)) - duration / 4
          delay = Int64(random.below(Int(duration)))
          switch random.below(60) {
          case 0: time += duration * Int64(random.below(20))
          case 1: arrivals.append((time, .end(camera)))
          case 2: arrivals.append((time, .start(camera)))
          case 3: stamp -= duration * Int64(random.below(5))
          case 4: stamp = max(1, stamp - Int64(random.below(20_000_000)))
          case 5: arrivals.append((stamp + delay, .drop(camera, stamp)))
          default: break
          }
        }
        let frame = Frame(camera: camera, number: number, time: max(1, stamp))
        arrivals.append((max(stamp, time) + delay, .frame(frame)))
        time += duration
      }
      arrivals.append((.max, .end(camera)))
      return arrivals
    }

    func run() -> Result {
      var matcher = Matcher()
      matcher.tolerance = tolerance
      let lenses = durations.indices.map(Lens.init)
      for (index, lens) in lenses.enumerated() {
        matcher.add(lens, at: index)
        matcher.start(lens, duration: nominal[index])
      }
      var result = Result()
      for step in steps {
        switch step {
        case .frame(let frame):
          result.note(matcher.put(frame, at: HostTime(frame.time), from: lenses[frame.camera]))
        case .drop(let camera, let time):
          result.note(matcher.pass(HostTime(time), of: lenses[camera]))
        case .start(let camera): matcher.start(lenses[camera], duration: nominal[camera])
        case .end(let camera): result.note(matcher.end(lenses[camera]))
        }
        result.mostPending = max(result.mostPending, matcher.pendingCount)
      }
      return result
    }
  }

  @Test func bringEachFrameOnceInOrderAndWithinTheTolerance() {
    var together = 0
    for seed in 0..<1000 as Range<UInt64> {
      let schedule = Schedule(seed: seed, isRegular: false)
      let result = schedule.run()
      let matched = result.matches.flatMap { $0.parts.map(\.frame) }
      let out = matched + result.unmatched
      let isRight =
        out.count == schedule.frames.count && Set(out) == Set(schedule.frames)
        && zip(result.matches, result.matches.dropFirst()).allSatisfy { $0.time < $1.time }
        && result.mostPending <= Matcher.pendingLimit
        && result.matches.allSatisfy { isWithinTolerance($0, in: schedule) }
      guard isRight else {
        Issue.record("seed \(seed)")
        return
      }
      together += result.matches.count { $0.parts.count > 1 }
    }
    #expect(together > 5000)
  }

  /// The stamp is one of the frames', and the others are near it; each camera once, all accounted
  /// for.
  private func isWithinTolerance(_ match: Matcher.Match, in schedule: Schedule) -> Bool {
    let cameras = match.parts.map(\.frame.camera)
    guard cameras == cameras.sorted(), Set(cameras).count == cameras.count,
      cameras.count + match.missing.count == schedule.durations.count
    else { return false }
    return match.parts.contains { leader in
      HostTime(leader.frame.time) == match.time
        && match.parts.allSatisfy { part in
          // Where nobody knows a duration, the average counts: not more than the longest gap.
          guard schedule.nominal[part.frame.camera] != nil,
            schedule.nominal[leader.frame.camera] != nil || schedule.tolerance != nil
          else { return true }
          let half =
            min(
              schedule.durations[part.frame.camera], schedule.durations[leader.frame.camera]) / 2
          let limit = schedule.tolerance ?? .microseconds(half)
          return .microseconds(abs(part.frame.time - leader.frame.time)) <= limit
        }
    }
  }

  /// Free-running cameras of one rate: no frame is lost once all have begun, until one ends.
  @Test func leaveNothingOutWhereNothingIsMissing() {
    for seed in 0..<400 as Range<UInt64> {
      let schedule = Schedule(seed: seed, isRegular: true)
      let result = schedule.run()
      let count =
        schedule.durations.indices.map { camera in
          schedule.frames.count { $0.camera == camera }
        }.min() ?? 0
      let whole = result.matches.filter(\.missing.isEmpty)
      let areOfOneNumber = whole.allSatisfy { Set($0.parts.map(\.frame.number)).count == 1 }
      guard whole.count >= count - 1, areOfOneNumber else {
        Issue.record("seed \(seed): \(whole.count) of \(count)")
        return
      }
    }
  }
}

extension HostTime {
  fileprivate init(_ microseconds: Int64) { self.init(nanoseconds: microseconds * 1000) }
}

/// The same numbers on every machine.
struct SplitMix {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
  }
}
