import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct FrameInspectorTests {
  static let layout = PixelLayout(format: .yuyv, width: 16, height: 4)

  static func frame(
    _ sequence: UInt64, at milliseconds: Int64, filledWith value: UInt8 = 128,
    isDamaged: Bool = false, _ reference: FrameTimestamp.Reference = .startOfExposure
  ) throws -> CapturedFrame {
    CapturedFrame(
      bytes: [UInt8](repeating: value, count: 128), layout: try #require(layout),
      sequence: sequence,
      timestamp: FrameTimestamp(
        HostTime(nanoseconds: milliseconds * 1_000_000), reference),
      isDamaged: isDamaged)
  }

  static func now(_ milliseconds: Int64) -> HostTime {
    HostTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func deliversWholeFrames() throws {
    var inspector = FrameInspector()

    let verdict = inspector.inspect(try Self.frame(0, at: 100), now: Self.now(120))

    #expect(verdict.drop == nil && verdict.lost == 0)
    #expect(verdict.timestamp == FrameTimestamp(Self.now(100), .startOfExposure))
  }

  @Test func countsGapsInTheSequence() throws {
    var inspector = FrameInspector()
    _ = inspector.inspect(try Self.frame(7, at: 100), now: Self.now(120))

    #expect(inspector.inspect(try Self.frame(10, at: 200), now: Self.now(220)).lost == 2)
  }

  @Test(arguments: [UInt64(0), 3, 1 << 31])
  func takesAJumpOfTheCountForARestart(sequence: UInt64) throws {
    var inspector = FrameInspector()
    _ = inspector.inspect(try Self.frame(7, at: 100), now: Self.now(120))

    #expect(inspector.inspect(try Self.frame(sequence, at: 200), now: Self.now(220)).lost == 0)
  }

  @Test func deliversTheFramesOfADriverThatNeitherStampsNorCounts() throws {
    var inspector = FrameInspector()
    for moment in [100 as Int64, 133, 166] {
      let verdict = inspector.inspect(try Self.frame(0, at: 0), now: Self.now(moment))
      #expect(verdict.drop == nil)
      #expect(verdict.timestamp == FrameTimestamp(Self.now(moment), .pickup))
    }
  }

  @Test func dropsAFrameThatComesTwice() throws {
    var inspector = FrameInspector()
    _ = inspector.inspect(try Self.frame(7, at: 100), now: Self.now(120))

    #expect(
      inspector.inspect(try Self.frame(7, at: 100), now: Self.now(130)).drop == .duplicate)
  }

  @Test func dropsDamagedFrames() throws {
    var inspector = FrameInspector()

    let verdict = inspector.inspect(
      try Self.frame(0, at: 100, isDamaged: true), now: Self.now(120))

    #expect(verdict.drop == .corrupt)
  }

  @Test func passesOnWhyABackendHadToDropAFrame() throws {
    let format = CaptureFormat(
      pixelFormat: .yuyv, dimensions: VideoDimensions(width: 16, height: 4))
    var inspector = FrameInspector()
    _ = inspector.inspect(try Self.frame(0, at: 100), now: Self.now(120))
    let dropped = CapturedFrame(
      dropped: .outOfBuffers, format: format, sequence: 1,
      timestamp: FrameTimestamp(Self.now(130), .startOfExposure))

    let verdict = inspector.inspect(dropped, now: Self.now(150))
    let next = inspector.inspect(try Self.frame(2, at: 160), now: Self.now(180))

    #expect(verdict.drop == .outOfBuffers)
    #expect(next.drop == nil && next.lost == 0)
  }

  @Test func dropsFramesOfZerosAtTheStartOnly() throws {
    var inspector = FrameInspector()

    #expect(
      inspector.inspect(try Self.frame(0, at: 100, filledWith: 0), now: Self.now(120)).drop
        == .blank)
    #expect(inspector.inspect(try Self.frame(1, at: 130), now: Self.now(150)).drop == nil)
    #expect(
      inspector.inspect(try Self.frame(2, at: 160, filledWith: 0), now: Self.now(180)).drop
        == nil)
  }

  @Test(arguments: [Int64(0), -1, 39_999, 98_999, 100_001])
  func doesNotBelieveStampsThatCannotBeTrue(stamp: Int64) throws {
    var inspector = FrameInspector()
    _ = inspector.inspect(try Self.frame(0, at: 99_000), now: Self.now(99_010))

    let verdict = inspector.inspect(try Self.frame(1, at: stamp), now: Self.now(100_000))

    #expect(verdict.timestamp == FrameTimestamp(Self.now(100_000), .pickup))
  }

  @Test func believesAgainAfterAStampFromTheFuture() throws {
    var inspector = FrameInspector()
    _ = inspector.inspect(try Self.frame(0, at: 100), now: Self.now(120))
    _ = inspector.inspect(try Self.frame(1, at: 900_000), now: Self.now(150))

    let verdict = inspector.inspect(try Self.frame(2, at: 166), now: Self.now(186))

    #expect(verdict.timestamp == FrameTimestamp(Self.now(166), .startOfExposure))
  }

  @Test func takesAnEndOfFrameThatIsYetToComeForNow() throws {
    var inspector = FrameInspector()

    let verdict = inspector.inspect(try Self.frame(0, at: 1900, .endOfFrame), now: Self.now(1000))

    #expect(verdict.timestamp == FrameTimestamp(Self.now(1000), .endOfFrame))
  }

  @Test func believesAgainAfterAStampThatWentBackwards() throws {
    var inspector = FrameInspector()
    _ = inspector.inspect(try Self.frame(0, at: 100), now: Self.now(120))

    let backwards = inspector.inspect(try Self.frame(1, at: 99), now: Self.now(150))
    let forwards = inspector.inspect(try Self.frame(2, at: 166), now: Self.now(186))

    #expect(backwards.timestamp.reference == .pickup)
    #expect(forwards.timestamp == FrameTimestamp(Self.now(166), .startOfExposure))
  }
}
