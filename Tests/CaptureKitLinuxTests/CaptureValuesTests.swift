import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct CaptureValuesTests {
  @Test func keepsFrameDurationsExact() throws {
    let ntsc = try #require(FrameDuration(numerator: 1001, denominator: 30000))

    #expect(ntsc > .thirtieth)
    #expect(ntsc.duration == .nanoseconds(33_366_666))
    #expect(FrameDuration(numerator: 2, denominator: 60) == .thirtieth)
    #expect(FrameDuration(numerator: 2, denominator: 15)?.framesPerSecond == 7.5)
  }

  @Test func refusesDurationsThatAreNone() {
    #expect(FrameDuration(numerator: 0, denominator: 30) == nil)
    #expect(FrameDuration(numerator: 1, denominator: 0) == nil)
    #expect(FrameDuration.framesPerSecond(0) == nil)
  }

  @Test func comparesTheLargestDurationsWithoutOverflow() throws {
    let longest = try #require(FrameDuration(numerator: .max, denominator: 1))
    let shortest = try #require(FrameDuration(numerator: 1, denominator: .max))

    #expect(shortest < longest)
  }

  @Test func doesNotPassTheEndsOfTime() {
    let late = HostTime(nanoseconds: .max)

    #expect(late.advanced(by: .seconds(1)) == late)
    #expect(HostTime(nanoseconds: .min).advanced(by: .seconds(-1)).nanoseconds == .min)
    #expect(HostTime(nanoseconds: 5).advanced(by: .seconds(Int64.max)) == late)
  }

  @Test func narrowsAFormatToASize() throws {
    let format = CaptureDevice.Format(
      .yuyv, from: VideoDimensions(width: 32, height: 32),
      through: VideoDimensions(width: 640, height: 480), by: VideoDimensions(width: 16, height: 8))

    #expect(format.narrowed(to: VideoDimensions(width: 320, height: 240))?.hasOneSize == true)
    #expect(format.narrowed(to: VideoDimensions(width: 321, height: 240)) == nil)
    #expect(format.narrowed(to: VideoDimensions(width: 656, height: 480)) == nil)
  }

  @Test(arguments: [Int.min, -1, 0, 1 << 32, .max])
  func takesAnySizeThatADriverSays(side: Int) {
    let size = VideoDimensions(width: side, height: side)
    let format = CaptureDevice.Format(.yuyv, from: size, through: size, by: size)

    for preset in [CaptureSession.Preset.photo, .high, .medium, .vga640x480] {
      let negotiator = FormatNegotiator(formats: [format, format], busBandwidth: 24_480_000)
      _ = negotiator.request(chosen: nil, preset: preset)
    }
    #expect(format.maximumDimensions.pixelCount <= 65_535 * 65_535)
    #expect(!format.offers(VideoDimensions(width: .min, height: .max)))
    _ = size.pixelCount
  }

  @Test func sharesTheBytesOfAFrame() throws {
    let bytes = [UInt8](repeating: 7, count: 640 * 480 * 2)
    let layout = try #require(PixelLayout(format: .yuyv, width: 640, height: 480))

    let frame = CapturedFrame(
      bytes: bytes, layout: layout, sequence: 0, timestamp: FrameTimestamp(.now, .endOfFrame))
    let copy = frame

    let original = bytes.withUnsafeBytes { $0.baseAddress }
    #expect(copy.bytes.withUnsafeBytes { $0.baseAddress } == original)
  }

  @Test func marksShortFramesAsDamaged() throws {
    let layout = try #require(PixelLayout(format: .yuyv, width: 640, height: 480))

    let frame = CapturedFrame(
      bytes: [1, 2, 3], layout: layout, sequence: 0,
      timestamp: FrameTimestamp(.now, .endOfFrame))

    #expect(frame.isDamaged)
    #expect(frame.pixelBuffer == nil)
  }

  @Test func knowsNoMomentBeyondTheClocksEnds() {
    let now = HostTime(nanoseconds: 5)
    for endless in [Duration.seconds(Int64.max), .seconds(1e19), .seconds(1.6e20)] {
      #expect(now.advanced(by: endless).nanoseconds == .max)
      #expect(now.advanced(by: .zero - endless).nanoseconds <= .min + 5)
    }
    #expect(now.advanced(by: .nanoseconds(-7)).nanoseconds == -2)
    #expect(HostTime(nanoseconds: .max).advanced(by: .nanoseconds(1)).nanoseconds == .max)
  }
}
