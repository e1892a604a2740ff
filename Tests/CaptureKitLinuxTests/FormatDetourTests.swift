import CaptureKitMocks
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// Short stays of a running camera in another format, on a clock that runs as fast as the test.
@Suite(.timeLimit(.minutes(1)))
struct FormatDetourTests {
  static let large = CaptureFormat(pixelFormat: .yuyv, dimensions: LargerStillTests.middle)

  @Test func goesThereAndBack() async throws {
    let rig = try await Rig()
    let stay = Stay(frames: 3)

    #expect(rig.take(stay))
    await rig.pass { rig.goesOn }

    #expect(stay.starts == [LargerStillTests.middle])
    #expect(
      stay.frames == [LargerStillTests.middle, LargerStillTests.middle, LargerStillTests.middle])
    #expect(stay.ends == [nil])
    #expect(rig.sizes.seen.withLock { $0 } == [LargerStillTests.small])
    #expect(rig.breaks == 1 && rig.tap.starts == 2)
    let statistics = rig.session.statistics
    #expect(statistics.discontinuities == 1)
    #expect(statistics.stalls == 0 && statistics.restarts == 0)
    await rig.stop(afterStarts: 3)
  }

  @Test func breaksTheStreamOnceForStaysThatFollowEachOther() async throws {
    let rig = try await Rig()
    let stays = (1...3).map { _ in Stay(frames: 2) }

    rig.onCamerasThread { for stay in stays { #expect(rig.take(stay)) } }
    await rig.pass { rig.goesOn }

    #expect(stays.allSatisfy { $0.ends == [nil] })
    #expect(rig.breaks == 1 && rig.tap.starts == 2)
    await rig.stop(afterStarts: 5)
  }

  @Test func takesUpNoMoreThanItCanKeep() async throws {
    let rig = try await Rig()
    let stays = (0..<65).map { _ in Stay(frames: 1) }
    let taken = Mutex<[Bool]>([])

    rig.onCamerasThread { taken.withLock { $0 = stays.map { rig.take($0, within: .zero) } } }
    await rig.pass { stays.dropLast().allSatisfy { !$0.ends.isEmpty } }

    #expect(taken.withLock { $0 } == stays.indices.map { $0 < 64 })
    #expect(stays.map(\.ends) == stays.indices.map { $0 < 64 ? [.timedOut] : [] })
    await rig.stop(afterStarts: 1)
  }

  // MARK: Its deadline

  @Test(arguments: [false, true])
  func endsAtItsDeadline(isSilent: Bool) async throws {
    let rig = try await Rig()
    let stay = Stay(frames: .max) { rig.studio.camera.script = [] }
    if isSilent { rig.studio.camera.script = [.silence] }
    let begin = rig.clock.now

    #expect(rig.take(stay, within: .seconds(2)))
    await rig.pass { !stay.ends.isEmpty }

    #expect(begin.duration(to: rig.clock.now) >= .seconds(2))
    await rig.pass { rig.goesOn }
    #expect(stay.starts.count == 1 && stay.ends == [.timedOut])
    #expect(stay.frames.isEmpty == isSilent)
    #expect(rig.breaks == 1)
    await rig.stop(afterStarts: 3)
  }

  @Test func leavesTheStreamAloneWhereItsDeadlineHasPassed() async throws {
    let rig = try await Rig()
    let stay = Stay(frames: 1)

    #expect(rig.take(stay, within: .zero))
    await rig.pass { !stay.ends.isEmpty }

    #expect(stay.starts.isEmpty && stay.ends == [.timedOut])
    #expect(rig.breaks == 0)
    await rig.stop(afterStarts: 1)
  }

  @Test func endsAtItsDeadlineWhileTheCameraIsInterrupted() async throws {
    let lost = CaptureError(.noSignal)
    let rig = try await Rig()
    rig.studio.camera.script = [.failsToStart(lost), .fails(afterFrame: 20, lost)]
    await rig.pass { rig.session.isInterrupted }
    let stay = Stay(frames: 1)

    #expect(rig.take(stay, within: .seconds(5)))
    await rig.pass { !stay.ends.isEmpty }

    #expect(rig.session.isInterrupted)
    #expect(stay.starts.isEmpty && stay.ends == [.timedOut])
    rig.studio.camera.script = []
    await rig.pass { rig.session.state == .running && rig.session.isRunning }
    await rig.stop(afterStarts: 2)
    #expect(stay.ends == [.timedOut])
  }

  // MARK: Stopped, unplugged, refused

  @Test func endsWhenTheSessionIsStopped() async throws {
    let rig = try await Rig()
    let stay = Stay(frames: .max)
    #expect(rig.take(stay))
    await rig.pass { stay.frames.count >= 2 }

    await rig.stop(afterStarts: 2)

    #expect(stay.ends == [.stopped])
    #expect(rig.breaks == 0 && rig.tap.ends.count == 1)
    #expect(!rig.take(Stay(frames: 1)))
  }

  @Test func endsWhenTheCameraIsUnplugged() async throws {
    let rig = try await Rig()
    let stay = Stay(frames: .max)
    #expect(rig.take(stay))
    await rig.pass { stay.frames.count >= 2 }

    rig.studio.camera.unplug()
    await rig.pass { !rig.session.isRunning }

    #expect(stay.ends == [.disconnected])
    #expect(rig.session.lastError?.code == .disconnected)
    #expect(rig.breaks == 0 && rig.tap.ends.map { $0?.code } == [.disconnected])
    await rig.stop(afterStarts: 2)
  }

  @Test func endsWhereTheOtherFormatIsRefused() async throws {
    let rig = try await Rig()
    let stay = Stay(frames: 1)
    let unknown = CaptureFormat(
      pixelFormat: .yuyv, dimensions: VideoDimensions(width: 48, height: 32))

    #expect(rig.take(stay, unknown))
    await rig.pass { rig.goesOn }

    #expect(stay.starts.isEmpty && stay.ends == [.unsupportedFormat])
    #expect(rig.breaks == 1)
    await rig.stop(afterStarts: 2)
  }

  // MARK: The way back

  @Test func recoversACameraThatCannotGoBack() async throws {
    let rig = try await Rig()
    let stay = Stay(frames: 2) {
      rig.studio.camera.script = [.failsToStart(CaptureError(.streamFailed))]
    }
    #expect(rig.take(stay))
    await rig.pass { rig.studio.camera.counters.opened == 2 }
    #expect(!rig.goesOn)

    rig.studio.camera.script = []
    await rig.pass { rig.goesOn && rig.session.state == .running }

    #expect(stay.ends == [nil])
    #expect(rig.session.statistics.restarts == 2 && rig.session.statistics.reopens >= 1)
    #expect(rig.breaks == 1 && rig.tap.starts == 2 && rig.tap.ends.isEmpty)
    await rig.stop(afterStarts: 3)
  }

  @Test func failsWhereNothingBringsTheCameraBack() async throws {
    let rig = try await Rig()
    let stay = Stay(frames: 2) {
      rig.studio.camera.script = [.failsToStart(CaptureError(.streamFailed))]
    }
    #expect(rig.take(stay))

    await rig.pass { !rig.session.isRunning }

    #expect(stay.ends == [nil])
    #expect(rig.session.lastError?.code == .streamFailed)
    #expect(rig.session.statistics.reopens == 3)
    #expect(rig.breaks == 0 && rig.tap.ends.map { $0?.code } == [.streamFailed])
    await rig.stop(afterStarts: 2)
  }
}

/// A session whose camera runs in its small size, with an output beside.
private struct Rig: Sendable {
  let clock = ManualClock()
  let studio: Studio
  let sizes = LargerStillTests.Sizes()
  let tap: FrameTap
  private let connection: CaptureConnection
  private let errand = Errand()

  init() async throws {
    let formats = [LargerStillTests.small, LargerStillTests.middle]
      .map { LargerStillTests.format(.yuyv, $0) }
    studio = try await Studio(
      MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240), formats: formats),
      clock: clock)
    tap = FrameTap { [sizes, errand] frame in
      sizes.seen.withLock { _ = $0.insert(frame.dimensions) }
      errand.run()
    }
    try studio.session.add(tap)
    try studio.device.lockForConfiguration()
    try studio.device.setActiveFormat(formats[0])
    studio.device.unlockForConfiguration()
    connection = try #require(studio.session.connections.first)
    try await studio.session.start()
    let tap = tap
    await clock.pass { tap.frameCount >= 3 }
  }

  var session: CaptureSession { studio.session }
  /// How often the other output was told of a break.
  var breaks: Int { tap.drops.count { $0 == .discontinuity } }
  /// Whether the other output has had frames after a break.
  var goesOn: Bool { tap.starts == 2 && tap.framesSinceStart >= 2 }

  func take(
    _ stay: Stay, _ format: CaptureFormat = FormatDetourTests.large,
    within time: Duration = .seconds(60)
  ) -> Bool {
    connection.take(stay.detour(format, until: clock.now.advanced(by: time)))
  }

  /// Runs something with the next frame, so that the camera sees no part of it before the whole.
  func onCamerasThread(_ body: @escaping @Sendable () -> Void) {
    errand.body.withLock { $0 = body }
  }

  func pass(until isSo: () -> Bool) async { await clock.pass(until: isSo) }

  /// Stops, and checks that the camera was let go and nothing was started on the way.
  func stop(afterStarts count: Int) async {
    await session.stop()
    let counters = studio.camera.counters
    #expect(counters.started == count && counters.stopped == count)
    #expect(counters.opened == counters.closed)
  }
}

private final class Errand: Sendable {
  let body = Mutex<(@Sendable () -> Void)?>(nil)

  func run() {
    let body = body.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
  }
}

/// What one stay was told.
private final class Stay: Sendable {
  private struct State {
    var starts: [VideoDimensions] = []
    var frames: [VideoDimensions] = []
    var ends: [CaptureError.Code?] = []
  }

  private let state = Mutex(State())
  private let wanted: Int
  private let onEnd: @Sendable () -> Void

  /// Is satisfied with so many frames.
  init(frames wanted: Int, onEnd: @escaping @Sendable () -> Void = {}) {
    self.wanted = wanted
    self.onEnd = onEnd
  }

  var starts: [VideoDimensions] { state.withLock { $0.starts } }
  var frames: [VideoDimensions] { state.withLock { $0.frames } }
  var ends: [CaptureError.Code?] { state.withLock { $0.ends } }

  func detour(_ format: CaptureFormat, until deadline: HostTime) -> FormatDetour {
    FormatDetour(
      format: format, deadline: deadline,
      onStart: { [self] format, _ in state.withLock { $0.starts.append(format.dimensions) } },
      receive: { [self] frame in
        state.withLock { state in
          state.frames.append(frame.dimensions)
          return state.frames.count >= wanted
        }
      },
      onEnd: { [self] error in
        onEnd()
        state.withLock { $0.ends.append(error?.code) }
      })
  }
}
