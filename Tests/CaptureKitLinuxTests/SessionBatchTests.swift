import CaptureKitLinux
import CaptureKitMocks
import Testing

/// Changes that take effect together.
@Suite(.timeLimit(.minutes(1)))
struct SessionBatchTests {
  @Test func appliesABatchAsAWhole() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    try await studio.session.start()
    let (first, second) = (FrameTap(), FrameTap())

    studio.session.beginConfiguration()
    studio.session.addOutput(first)
    studio.session.beginConfiguration()
    studio.session.addOutput(second)
    studio.session.commitConfiguration()
    #expect(first.starts == 0 && second.starts == 0)
    studio.session.commitConfiguration()

    await first.frames(1)
    await second.frames(1)
    #expect(studio.camera.counters.opened == 1)
    await studio.session.stop()
  }

  @Test func refusesToStartWithinABatch() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    studio.session.beginConfiguration()

    studio.session.startRunning()

    #expect(studio.session.lastError?.code == .alreadyConfiguring)
    #expect(!studio.session.isRunning)
    studio.session.commitConfiguration()
    studio.session.startRunning()
    #expect(studio.session.isRunning)
    studio.session.stopRunning()
  }

  @Test func ignoresACommitWithoutABegin() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())

    studio.session.commitConfiguration()
    studio.session.startRunning()

    #expect(studio.session.isRunning)
    studio.session.stopRunning()
  }

  @Test func takesAFailedBatchBack() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let video = CaptureVideoDataOutput()

    #expect(throws: CaptureError.self) {
      try studio.session.configure {
        try studio.session.add(video)
        try studio.session.add(studio.photos)
      }
    }

    #expect(studio.session.outputs.count == 1)
    #expect(studio.photos.connections.count == 1)
    #expect(video.connections.isEmpty)
  }
}
