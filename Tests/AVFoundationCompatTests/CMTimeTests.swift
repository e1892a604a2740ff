import AVFoundationCompat
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CMTimeTests {
  @Test func isAFractionOfSeconds() {
    let time = CMTimeMake(value: 1001, timescale: 30000)
    #expect(time.value == 1001 && time.timescale == 30000 && time.isNumeric)
    #expect(CMTimeGetSeconds(time) == 1001.0 / 30000)
    #expect(
      CMTimeMakeWithSeconds(1.5, preferredTimescale: 600) == CMTime(value: 900, timescale: 600))
    #expect(CMTime(seconds: 1.0 / 3, preferredTimescale: 10).hasBeenRounded)
    #expect(!CMTime(seconds: 0.5, preferredTimescale: 10).hasBeenRounded)
  }

  @Test func isTheSameInOtherUnits() {
    let (half, other) = (CMTime(value: 1, timescale: 2), CMTime(value: 300, timescale: 600))
    #expect(half == other && half.hashValue == other.hashValue)
    #expect(half < CMTime(value: 2, timescale: 3) && CMTimeCompare(other, half) == 0)
    #expect(CMTimeConvertScale(half, timescale: 90) == half)
    let rounded = CMTime(value: -5, timescale: 10).convertScale(1)
    #expect(rounded.value == -1 && rounded.hasBeenRounded)
  }

  @Test func addsExactlyWhereItCan() {
    let sum = CMTimeAdd(CMTime(value: 1, timescale: 30), CMTime(value: 1, timescale: 24))
    #expect(sum == CMTime(value: 9, timescale: 120) && !sum.hasBeenRounded)
    let fine = CMTime(value: 1, timescale: 2_147_483_647)
    let rough = CMTimeSubtract(CMTime(value: 1, timescale: 1_000_000_000), fine)
    #expect(rough.hasBeenRounded && rough.timescale == 2_147_483_647)
    var time = CMTime.zero
    for _ in 0..<3 { time += CMTime(value: 1, timescale: 3) }
    #expect(time == CMTime(value: 1, timescale: 1))
    time -= CMTime(value: 1, timescale: 1)
    #expect(time == .zero)
  }

  @Test func neverTraps() {
    let most = CMTime(value: .max, timescale: 1)
    #expect((most + most).isPositiveInfinity)
    #expect((CMTime(value: .min, timescale: 1) - most).isNegativeInfinity)
    #expect(most.convertScale(.max).isPositiveInfinity)
    #expect(CMTime(value: .min, timescale: 1) < most)
    #expect(CMTime(seconds: 1e300, preferredTimescale: 1).isPositiveInfinity)
    #expect(!CMTime(seconds: .nan, preferredTimescale: 1).isValid)
    #expect(!CMTime(value: 1, timescale: 0).isValid && CMTime(value: 1, timescale: 0).seconds.isNaN)
    #expect(CMTime(value: 1, timescale: 1).convertScale(0) == .invalid)
  }

  @Test func knowsWhatIsNoNumber() {
    let one = CMTime(value: 1, timescale: 1)
    #expect(
      CMTime.negativeInfinity < one && one < .positiveInfinity && .positiveInfinity < .invalid)
    #expect(one + .positiveInfinity == .positiveInfinity)
    #expect(one - .positiveInfinity == .negativeInfinity)
    #expect((CMTime.positiveInfinity - .positiveInfinity).isIndefinite)
    #expect(one + .invalid == .invalid && (one + .indefinite).isIndefinite)
    #expect(CMTime.positiveInfinity.seconds == .infinity && CMTime.invalid.seconds.isNaN)
  }
}
