import CaptureKitLinux
import CaptureKitMocks
import Imaging

/// A session with a simulated camera, on a clock that runs as fast as the test.
struct RecoveryRig {
  let clock = ManualClock()
  let studio: Studio
  let tap = FrameTap()
  let diary = StateDiary()

  init(
    _ script: [MockEvent] = [], frames: MockFrames = .testPattern(.yuyv, width: 160, height: 120)
  ) async throws {
    let camera = MockCamera(frames: frames)
    camera.script = script
    studio = try await Studio(camera, clock: clock)
    try studio.session.add(tap)
    diary.follow(studio.session)
  }

  var session: CaptureSession { studio.session }

  func pass(waiters: Int = 1, until isSo: () -> Bool) async {
    await clock.pass(waiters: waiters, until: isSo)
  }
}
