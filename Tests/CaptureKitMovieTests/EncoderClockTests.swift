import CaptureKitLinux
import Imaging
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct EncoderClockTests {
  @Test(arguments: [
    ([5_000_000, 38_000_000], [0, 33_000]),
    ([5_000_000, 5_000_000, 38_000_000], [0, 1, 33_001]),
    ([5_000_000_000, 10_000_000, 43_000_000], [0, 1, 33_001]),
    ([.min, .max, 0], [0, 1, 2]),
    ([0, .max, .max, .min], [0, 3_600_000_000, 3_600_000_001, 3_600_000_002]),
  ])
  func growsWithTheStamps(stamps: [Int64], times: [Int64]) {
    var clock = EncoderClock()

    #expect(stamps.map { clock.time(of: $0) } == times)
    #expect(times.map { clock.stamp(at: $0) } == stamps)
    #expect(clock.stamp(at: 0) == nil)
  }

  @Test func keepsNoMoreThanAnEncoderDoes() {
    var clock = EncoderClock()
    for stamp in 0..<Int64(1000) { _ = clock.time(of: stamp * 1_000_000) }

    #expect(clock.stamp(at: 0) == nil)
    #expect(clock.stamp(at: 999_000) == 999_000_000)
  }

  /// A driver may say anything.
  @Test(.enabled(if: LibAVEncoder.installed != nil))
  func samplesHaveTheStampsOfTheirFrames() throws {
    let encoder = try #require(LibAVEncoder.installed)
    let layout = try #require(PixelLayout(format: .yuyv, width: 64, height: 64))
    let bytes = [UInt8](repeating: 128, count: layout.byteCount(ofBlock: 0))
    func frame(_ stamp: Int64) -> CapturedFrame {
      CapturedFrame(
        bytes: bytes, layout: layout, sequence: 0,
        timestamp: FrameTimestamp(HostTime(nanoseconds: stamp), .pickup))
    }
    let stamps: [Int64] = [5_000_000_001, .max, .max, .min, 1_000_000_000, 1_033_000_007]
    let coder = try #require(H264EncodingCoder(encoder, frame(0), .automatic))

    let samples = try stamps.flatMap { try coder.code(frame($0)) } + coder.drain()

    #expect(samples.map(\.time.nanoseconds) == stamps)
  }
}
