import Imaging
import Testing

@testable import CaptureKitLinux

/// The pure parts that say how well a camera does.
@Suite(.timeLimit(.minutes(1)))
struct HealthCountersTests {
  private let start = HostTime(nanoseconds: 1_000_000_000)

  private func moment(_ milliseconds: Int) -> HostTime {
    start.advanced(by: .milliseconds(milliseconds))
  }

  @Test(arguments: [(20, 50.0), (40, 25.0), (100, 10.0), (5000, 0.2)])
  func measuresTheRateThatIsDelivered(interval: Int, rate: Double) throws {
    var meter = FrameRateMeter()
    for number in 0..<200 { meter.note(moment(number * interval)) }
    let measured = try #require(meter.rate(at: moment(199 * interval)))
    #expect(abs(measured - rate) < rate / 100)
  }

  @Test func knowsNoRateOfOneFrame() {
    var meter = FrameRateMeter()
    meter.note(start)
    #expect(meter.rate(at: start) == nil)
  }

  @Test func letsTheRateSinkWhenNothingComes() throws {
    var meter = FrameRateMeter()
    for number in 0..<60 { meter.note(moment(number * 33)) }
    let later = try #require(meter.rate(at: moment(60 * 33 + 20_000)))
    #expect(later < 1)
  }

  @Test func tellsAFaultAtItsBeginningAndAtItsEnd() {
    var faults = RepeatedFaults()
    let told = (0..<100).map { faults.happened(.damagedFrames, at: moment($0 * 100)) }
    #expect(told.filter { $0 }.count == 1 && told[0])
    #expect(faults.takeEnded(at: moment(9900 + 4900)) == [])
    #expect(
      faults.takeEnded(at: moment(9900 + 5000)) == [.init(code: .damagedFrames, count: 100)])
    #expect(faults.takeEnded(at: nil) == [])
    let isToldAgain = faults.happened(.damagedFrames, at: moment(60_000))
    #expect(isToldAgain)
  }

  @Test func saysNothingMoreOfAFaultThatHappenedOnce() {
    var faults = RepeatedFaults()
    _ = faults.happened(.lostFrames, at: start)
    #expect(faults.takeEnded(at: nil) == [])
  }

  @Test func keepsTheSizeWhereTheBusHasNoRoom() throws {
    let size = VideoDimensions(width: 640, height: 480)
    let rates = try [30, 15, 5].map { try #require(FrameDuration.framesPerSecond($0)) }
    let durations = rates.map { $0...$0 }
    let raw = CaptureDevice.Format(.yuyv, dimensions: size, frameDurations: durations)
    let packed = CaptureDevice.Format(.mjpeg, dimensions: size, frameDurations: durations)
    let small = CaptureDevice.Format(
      .mjpeg, dimensions: VideoDimensions(width: 160, height: 120), frameDurations: durations)

    let less = BandwidthLadder.alternatives(to: raw.request(), from: [raw, packed, small])

    #expect(less.count == 4)
    #expect(less.allSatisfy { $0.dimensions == size })
    #expect(less.map(\.pixelFormat) == [.mjpeg, .mjpeg, .mjpeg, .yuyv])
    #expect(less.map(\.frameDuration) == [rates[0], rates[1], rates[2], rates[1]])
  }

  @Test func hasNothingLessThanTheSlowestCompressedFormat() throws {
    let rate = try #require(FrameDuration.framesPerSecond(5))
    let packed = CaptureDevice.Format(
      .mjpeg, dimensions: VideoDimensions(width: 640, height: 480), frameDurations: [rate...rate])
    #expect(BandwidthLadder.alternatives(to: packed.request(), from: [packed]) == [])
  }
}
