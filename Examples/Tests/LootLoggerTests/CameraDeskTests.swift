import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Testing

@testable import lootlogger

@Suite(.timeLimit(.minutes(1)))
struct CameraDeskTests {
  private let camera = MockCamera(uniqueID: "test", name: "Test camera", deviceType: .external)
  private let statuses = AsyncStream<CameraDesk.Status>.makeStream()

  private func withDesk(_ body: (CameraDesk) async throws -> Void) async throws {
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let continuation = statuses.continuation
    try await environment.run {
      try await body(
        CameraDesk(path: nil, isSimulated: false) { continuation.yield($0) })
    }
  }

  @Test func restsUntilSomebodyWantsIt() async throws {
    try await withDesk { desk in
      let status = await desk.status()

      #expect(status.name == "Test camera")
      #expect(status.sentence == nil)
      #expect(!status.isRunning)
      try await desk.start()
      #expect(await desk.status().isRunning)
    }
  }

  @Test func restsAfterAPhotoThatNobodyWatches() async throws {
    try await withDesk { desk in
      let photo = try await desk.takePhoto()

      #expect(photo.starts(with: [0xFF, 0xD8]))
      #expect(await !desk.status().isRunning)
      // It can be had again at once.
      _ = try await desk.takePhoto()
    }
  }

  @Test func saysWhyTheCameraHasGone() async throws {
    try await withDesk { desk in
      try await desk.start()

      camera.unplug()
      var told = statuses.stream.makeAsyncIterator()
      let status = await told.next()

      #expect(status?.sentence?.isEmpty == false)
      #expect(await !desk.status().isRunning)
      #expect(await desk.status().sentence?.contains("no camera") == true)
      await #expect(throws: (any Error).self) { try await desk.start() }
    }
  }
}
