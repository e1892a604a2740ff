import Testing

@testable import CaptureKitLinux

/// Frames of several cameras are put together by their stamps.
@Suite(.timeLimit(.minutes(1)))
struct FrameMatcherTests {
  final class Lens: Sendable {
    let index: Int
    init(_ index: Int) { self.index = index }
  }

  typealias Matcher = FrameMatcher<Lens, Int>

  /// A matcher with cameras, and what came out of it, as text: `0+3` for frames that came together,
  /// `-5` for one that fits nothing. Stamps are in milliseconds, and the frames are their stamps.
  struct Bench {
    var matcher = Matcher()
    let lenses: [Lens]
    var told: [String] = []
    var missing: [[Int]] = []

    init(_ durations: [Int?]) {
      lenses = durations.indices.map(Lens.init)
      for (index, duration) in durations.enumerated() {
        matcher.add(lenses[index], at: index)
        matcher.start(lenses[index], duration: duration.map { .milliseconds($0) })
      }
    }

    mutating func put(_ time: Int, _ camera: Int) {
      note(matcher.put(time, at: .milliseconds(time), from: lenses[camera]))
    }

    mutating func pass(_ time: Int, _ camera: Int) {
      note(matcher.pass(.milliseconds(time), of: lenses[camera]))
    }

    mutating func end(_ camera: Int) { note(matcher.end(lenses[camera])) }

    mutating func note(_ outcomes: [Matcher.Outcome]) {
      for outcome in outcomes {
        switch outcome {
        case .match(let match):
          told.append(match.parts.map { "\($0.frame)" }.joined(separator: "+"))
          missing.append(match.missing.map(\.index))
        case .unmatched(let frame, _, _): told.append("-\(frame)")
        }
      }
    }
  }

  @Test func putsTheNearestFrameToTheLeadersAtOnce() {
    var bench = Bench([30, 30])
    bench.put(0, 1)
    bench.put(10, 0)
    // The follower is known to give frames: it is waited for.
    bench.put(40, 0)
    #expect(bench.told == ["10+0"])
    bench.put(41, 1)
    #expect(bench.told == ["10+0", "40+41"])
    #expect(bench.missing == [[], []])
  }

  @Test func waitsForNobodyWhoHasNotStarted() {
    var bench = Bench([30, 30, 30])
    bench.end(0)
    bench.end(2)
    bench.put(0, 1)
    bench.put(30, 1)
    #expect(bench.told == ["0", "30"] && bench.missing == [[0, 2], [0, 2]])
    bench.put(58, 0)
    bench.put(60, 1)
    #expect(bench.told.last == "58+60" && bench.missing.last == [2])
  }

  @Test func waitsForTheFirstFramesOfThoseThatHaveStarted() {
    var bench = Bench([30, 30, 30])
    bench.put(2, 2)
    bench.put(1, 1)
    #expect(bench.told == [])
    bench.put(0, 0)
    #expect(bench.told == ["0+1+2"])
  }

  @Test func waitsNoLongerThanFourFramesForTheFirst() {
    var bench = Bench([30, 30])
    for time in [0, 30, 60, 90, 120] { bench.put(time, 1) }
    #expect(bench.told.count <= 1)
    bench.put(150, 1)
    #expect(bench.told.suffix(5) == ["30", "60", "90", "120", "150"])
  }

  @Test func namesWhatFitsNothing() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(16, 1)
    // Too far from 0, too far from 32: half of 30 is 15.
    bench.put(32, 0)
    bench.put(46, 1)
    bench.put(64, 0)
    bench.put(76, 1)
    #expect(bench.told == ["0", "-16", "32+46", "64+76"])
    #expect(bench.missing == [[1], [], []])
  }

  @Test func givesEachFrameOfASlowLeaderItsNearestOfAFastFollower() {
    var bench = Bench([66, 33])
    for time in stride(from: 0, through: 400, by: 33) {
      bench.put(time + 3, 1)
      if time % 66 == 0 { bench.put(time, 0) }
    }
    #expect(
      bench.told.filter { $0.contains("+") } == [
        "0+3", "66+69", "132+135", "198+201", "264+267", "330+333", "396+399",
      ])
    #expect(
      bench.told.filter { $0.hasPrefix("-") } == ["-36", "-102", "-168", "-234", "-300", "-366"])
  }

  @Test func namesASlowFollowerWhereItHasNone() {
    var bench = Bench([33, 66])
    for time in stride(from: 0, through: 198, by: 33) {
      if time % 66 == 0 { bench.put(time + 2, 1) }
      bench.put(time, 0)
    }
    #expect(bench.told == ["0+2", "33", "66+68", "99", "132+134", "165", "198+200"])
    #expect(bench.missing.filter { $0 == [1] }.count == 3)
  }

  @Test func doesNotWaitForACameraThatIsSilentForFourFrames() {
    var bench = Bench([30, 30, 30])
    for camera in 0...2 { bench.put(camera, camera) }
    for time in [30, 60, 90, 120] {
      bench.put(time, 0)
      bench.put(time + 1, 1)
    }
    #expect(bench.told == ["0+1+2"])
    bench.put(150, 0)
    #expect(bench.told == ["0+1+2", "30+31", "60+61", "90+91", "120+121"])
    bench.put(151, 1)
    bench.put(180, 0)
    bench.put(181, 1)
    #expect(bench.told.suffix(2) == ["150+151", "180+181"])
    // It is back, and waited for again.
    bench.put(182, 2)
    bench.put(210, 0)
    bench.put(211, 1)
    #expect(bench.told.last == "-182" || bench.told.last == "180+181")
    bench.put(212, 2)
    #expect(bench.told.last == "210+211+212")
    #expect(bench.missing.last == [])
  }

  @Test func letsTheNextLeadWhereTheLeaderIsSilent() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(5, 1)
    for time in [35, 65, 95, 125, 155] { bench.put(time, 1) }
    #expect(bench.told == ["0+5", "35", "65", "95", "125", "155"])
    #expect(bench.missing.dropFirst().allSatisfy { $0 == [0] })
    bench.put(180, 0)
    bench.put(185, 1)
    #expect(bench.told.last == "180+185")
  }

  @Test func goesOnAtOnceWithoutACameraThatHasEnded() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(5, 1)
    bench.put(30, 0)
    bench.end(1)
    #expect(bench.told == ["0+5", "30"])
    bench.put(60, 0)
    bench.end(0)
    #expect(bench.told == ["0+5", "30", "60"] && bench.matcher.pendingCount == 0)
  }

  @Test func takesADroppedFrameForASignOfLife() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(1, 1)
    bench.put(30, 0)
    bench.pass(31, 1)
    #expect(bench.told == ["0+1", "30"])
  }

  @Test func learnsTheDurationOfCamerasThatDoNotSay() {
    var bench = Bench([nil, nil])
    for time in stride(from: 0, through: 1000, by: 200) {
      bench.put(time, 0)
      bench.put(time + 80, 1)
    }
    // Half of 200 ms from the second frame on; before, half of a thirtieth of a second.
    #expect(bench.told.suffix(4) == ["400+480", "600+680", "800+880", "1000+1080"])
  }

  @Test func findsTheNearestWithinATolerance() {
    var bench = Bench([30, 30])
    bench.matcher.tolerance = .milliseconds(100)
    bench.put(10, 1)
    bench.put(30, 0)
    // 40 is due, and nearer.
    #expect(bench.told == [])
    bench.put(40, 1)
    #expect(bench.told == ["-10", "30+40"])
    bench.put(60, 0)
    bench.put(85, 1)
    // The leader's at 90 is due, and nearer.
    #expect(bench.told == ["-10", "30+40"])
    bench.put(90, 0)
    #expect(bench.told == ["-10", "30+40", "60", "90+85"])
    bench.matcher.tolerance = .milliseconds(2)
    bench.put(120, 0)
    bench.put(123, 1)
    #expect(bench.told.last == "120")
  }

  @Test func forgetsACameraThatIsRemoved() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(1, 1)
    bench.put(30, 0)
    bench.note(bench.matcher.remove(bench.lenses[1]))
    #expect(bench.told == ["0+1", "30"] && bench.missing == [[], []])
    bench.put(31, 1)
    #expect(bench.told.last == "-31")
  }

  @Test func keepsNoMoreThanFourFramesOfALeaderWaiting() {
    var bench = Bench([30, 100])
    bench.put(0, 1)
    for time in stride(from: 0, through: 240, by: 30) { bench.put(time, 0) }
    #expect(bench.told == ["0+0", "30", "60", "90", "120"])
    bench.put(239, 1)
    #expect(bench.told.suffix(4) == ["150", "180", "210", "240+239"])
  }

  @Test func doesNotWaitForAFrameThatIsNotDue() {
    var bench = Bench([8, 1000])
    bench.put(0, 1)
    for time in stride(from: 0, through: 160, by: 8) {
      bench.put(time, 0)
      #expect(bench.matcher.pendingCount == 0)
    }
    #expect(bench.told.count == 21 && bench.told.first == "0+0")
    bench.put(990, 0)
    bench.put(989, 1)
    #expect(bench.told.last == "990+989")
  }

  @Test(arguments: [0, -5]) func takesADurationOfNothingForUnknown(_ duration: Int) {
    var bench = Bench([duration, duration])
    for time in stride(from: 0, through: 90, by: 30) {
      bench.put(time, 0)
      bench.put(time + 5, 1)
    }
    #expect(bench.told == ["0+5", "30+35", "60+65", "90+95"])
  }

  @Test(arguments: [Duration.seconds(Int64.max), .zero, .seconds(-1)])
  func survivesAnyTolerance(_ tolerance: Duration) {
    var bench = Bench([30, 7_000_000])
    bench.matcher.tolerance = tolerance
    for time in [0, 30, 60, 9_000_000] {
      bench.put(time, 0)
      bench.put(time, 1)
    }
    #expect(bench.told.last == "9000000+9000000")
  }

  @Test func tellsAtOnceWhatNoLeadersFrameCanWantAnyMore() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(16, 1)
    bench.end(1)
    #expect(bench.told == ["0"])
    bench.put(32, 0)
    #expect(bench.told == ["0", "-16", "32"])
  }

  @Test func putsACamerasFramesInOrder() {
    var bench = Bench([30, 30])
    bench.put(40, 0)
    bench.put(10, 0)
    bench.put(11, 1)
    bench.put(41, 1)
    #expect(bench.told == ["10+11", "40+41"])
  }

  @Test func doesNotTakeOneGapForACamerasRate() {
    var bench = Bench([nil, nil])
    for time in stride(from: 0, through: 2000, by: 200) {
      bench.put(time, 0)
      bench.put(time + 1, 1)
    }
    for time in [7000, 7200, 7400, 7600, 7800, 8000, 8200] {
      if time == 7000 { bench.put(time + 1, 1) }
      bench.put(time, 0)
    }
    // 250 ms are usual now, and four of them have passed.
    #expect(bench.told.last == "8200")
  }

  @Test func tellsWhatWaitsOfACameraThatIsRemoved() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(16, 1)
    bench.note(bench.matcher.remove(bench.lenses[1]))
    #expect(bench.told == ["0", "-16"])
  }

  @Test func isNotHeldUpByAClockThatIsBehind() {
    var bench = Bench([30, 30])
    bench.put(0, 0)
    bench.put(1, 1)
    bench.matcher.start(bench.lenses[0], duration: .milliseconds(30))
    for time in stride(from: 30_000, through: 30_300, by: 30) {
      bench.put(time, 1)
      bench.put(time - 20_000, 0)
    }
    #expect(bench.told.filter { $0.hasPrefix("300") || $0.hasPrefix("301") }.count >= 7)
    #expect(bench.matcher.pendingCount <= Matcher.pendingLimit)
  }
}

extension HostTime {
  fileprivate static func milliseconds(_ count: Int) -> HostTime {
    HostTime(nanoseconds: Int64(count) * 1_000_000)
  }
}
