import CaptureKitLinux
import Imaging
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct PreRollRingTests {
  private static func sample(_ milliseconds: Int, isKey: Bool = true, _ size: Int = 10)
    -> MovieSample
  {
    MovieSample(
      bytes: SharedBytes([UInt8](repeating: 0, count: size)),
      time: HostTime(nanoseconds: Int64(milliseconds) * 1_000_000), isKey: isKey)
  }

  private static func times(of ring: PreRollRing) -> [Int] {
    var ring = ring
    return ring.take().map { Int($0.time.nanoseconds / 1_000_000) }
  }

  @Test func keepsNoMoreThanItsDuration() {
    var ring = PreRollRing(MoviePreRoll(duration: .seconds(1)))
    for time in stride(from: 0, through: 3000, by: 100) { ring.append(Self.sample(time)) }

    #expect(Self.times(of: ring) == Array(stride(from: 2000, through: 3000, by: 100)))
    #expect(ring.byteCount == 110)
  }

  @Test func keepsNoMoreThanItsBytes() {
    var ring = PreRollRing(MoviePreRoll(duration: .seconds(60), byteLimit: 35))
    for time in 0..<10 { ring.append(Self.sample(time)) }

    #expect(Self.times(of: ring) == [7, 8, 9])
    ring.append(Self.sample(11, isKey: true, 100))
    #expect(ring.isEmpty && ring.byteCount == 0)
  }

  @Test func letsGoOfWhatWasBeforeTheClockWasSetBack() {
    var ring = PreRollRing(MoviePreRoll(duration: .seconds(1)))
    for time in [900_000, 900_100, 5000, 5100, 5090, 5200] { ring.append(Self.sample(time)) }

    #expect(Self.times(of: ring) == [5000, 5100, 5090, 5200])
  }

  @Test func beginsWithAKeyFrame() {
    var ring = PreRollRing(MoviePreRoll(duration: .seconds(1)))
    ring.append(Self.sample(0, isKey: false))
    #expect(ring.isEmpty)
    for time in stride(from: 0, through: 2000, by: 100) {
      ring.append(Self.sample(time, isKey: time % 500 == 0))
    }

    #expect(Self.times(of: ring).first == 1000)
    ring.append(Self.sample(2100, isKey: false))
    #expect(Self.times(of: ring).first == 1500)
    #expect(ring.count * 10 == ring.byteCount)
  }

  @Test func letsGoOfWhatNewBoundsDoNotHold() {
    var ring = PreRollRing(MoviePreRoll(duration: .seconds(10)))
    for time in stride(from: 0, through: 5000, by: 100) { ring.append(Self.sample(time)) }

    ring.setBounds(MoviePreRoll(duration: .milliseconds(250)))

    #expect(Self.times(of: ring) == [4800, 4900, 5000])
  }

  @Test func isEmptyOnceTaken() {
    var ring = PreRollRing(MoviePreRoll(duration: .seconds(1)))
    ring.append(Self.sample(0))

    let taken = ring.take()

    #expect(taken.count == 1)
    #expect(ring.isEmpty && ring.byteCount == 0)
  }
}
