import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Synchronization
import TestSupport
import Testing

/// Very many frames of a simulated camera, to all outputs; run by `Scripts/soak`.
@Suite(.enabled("run by Scripts/soak") { Soak.frameCount != nil }, .timeLimit(.minutes(30)))
struct SoakTests {
  @Test func leavesNothingBehindOfManyFrames() async throws {
    let count = Soak.frameCount ?? 0
    let studio = try await Studio(
      MockCamera(frames: .testPattern(.yuyv, width: 64, height: 48)), clock: ManualClock())
    let (session, clock) = (studio.session, studio.clock)
    let video = CaptureVideoDataOutput()
    video.videoSettings = .pixelFormat(.bgra)
    let seen = Atomic(0)
    video.setFrameHandler { frame in
      if frame.pixelBuffer != nil { seen.add(1, ordering: .relaxed) }
    }
    try session.add(video)
    try await session.start()

    let pusher = Task {
      while !Task.isCancelled {
        await clock.waitForWork(count: 1)
        clock.advance(by: .milliseconds(34))
      }
    }
    while session.statistics.delivered < count / 10 { try await Task.sleep(for: .milliseconds(5)) }
    let soak = Soak()
    while session.statistics.delivered < count { try await Task.sleep(for: .milliseconds(5)) }
    let leaks = soak.leaks(after: "\(session.statistics.delivered) simulated frames")
    await session.stop()
    pusher.cancel()
    clock.advance(by: .seconds(1))

    #expect(leaks == [])
    #expect(seen.load(ordering: .relaxed) > 0)
    #expect(session.statistics.restarts == 0)
  }
}
