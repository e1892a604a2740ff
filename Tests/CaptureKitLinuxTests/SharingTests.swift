import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

/// Sessions, outputs, cameras and settings that are used by several at once.
@Suite(.timeLimit(.minutes(1)))
struct SharingTests {
  @Test func givesACameraToOneSessionAtATime() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let second = CaptureSession()
    try second.add(CaptureDeviceInput(device: studio.device))
    try await studio.session.start()

    await #expect { try await second.start() } throws: { ($0 as? CaptureError)?.code == .inUse }

    #expect(try await studio.photos.capturePhoto(with: CapturePhotoSettings()).timestamp != nil)
    await studio.session.stop()
    try await second.start()
    await second.stop()
  }

  @Test func takesPhotosOfTheSessionThatRuns() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let other = try await Studio(CaptureSessionTests.smallCamera())
    try other.session.add(studio.photos)

    try await other.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())
    #expect(photo.timestamp != nil)
    await other.session.stop()
    await #expect(throws: CaptureError.self) {
      try await studio.photos.capturePhoto(with: CapturePhotoSettings())
    }
  }

  @Test func refusesSettingsThatAnotherOutputHasUsed() async throws {
    let studio = try await Studio()
    let second = CapturePhotoOutput()
    try studio.session.add(second)
    try await studio.session.start()
    let settings = CapturePhotoSettings()

    _ = try await studio.photos.capturePhoto(with: settings)

    await #expect { try await second.capturePhoto(with: settings) } throws: {
      ($0 as? CaptureError)?.code == .settingsReused
    }
    await studio.session.stop()
  }

  @Test func cancellingARefusedRequestEndsNoOther() async throws {
    let clock = ManualClock()
    let studio = try await Studio(clock: clock)
    studio.camera.script = [.slowStart(.seconds(3))]
    try await studio.session.start()
    let settings = CapturePhotoSettings()
    let recorder = studio.takePhoto(settings)

    let task = Task { try await studio.photos.capturePhoto(with: settings) }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await studio.photos.capturePhoto(with: settings)
    }
    await #expect(throws: (any Error).self) { try await late.value }

    clock.advance(by: .seconds(4))
    #expect(await recorder.finished.finalError == nil)
    await studio.session.stop()
  }

  @Test func takesAFailedAdditionOutOfABatchThatBeganMeanwhile() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let bad = Reluctant(session: studio.session)
    let device = try #require(
      try await CaptureEnvironment(backends: [bad]).devices().first)
    try await studio.session.start()

    #expect(throws: CaptureError.self) {
      try studio.session.add(CaptureDeviceInput(device: device))
    }
    studio.session.commitConfiguration()

    #expect(studio.session.inputs.count == 1)
    await studio.session.stop()
  }

  /// A camera that cannot be opened, and in the middle of the attempt somebody begins a batch.
  private struct Reluctant: CaptureBackend {
    let session: CaptureSession

    func devices() async throws -> [CaptureDeviceDescription] {
      let size = VideoDimensions(width: 64, height: 48)
      return [
        CaptureDeviceDescription(
          uniqueID: "reluctant", localizedName: "Reluctant",
          formats: [CaptureDevice.Format(.grey, dimensions: size)])
      ]
    }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
      session.beginConfiguration()
      throw CaptureError(.inUse)
    }
  }

  @Test func stopsARemovedCameraAlthoughAnAddedOneCannotStart() async throws {
    let (removed, added) = (
      CaptureSessionTests.smallCamera(),
      MockCamera(frames: .testPattern(.yuyv, width: 64, height: 48))
    )
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [removed, added])])
    let devices = try await environment.devices()
    let session = CaptureSession()
    let input = try CaptureDeviceInput(device: devices[0])
    try session.add(input)
    try await session.start()

    #expect(throws: CaptureError.self) {
      try session.configure {
        session.removeInput(input)
        try session.setSessionPreset(.vga640x480)
        try session.add(CaptureDeviceInput(device: devices[1]))
      }
    }

    #expect(removed.counters.stopped == 1)
    await session.stop()
  }

  @Test func noticesThatTheCameraWentBeforeTheStart() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    studio.camera.unplug()

    await #expect { try await studio.session.start() } throws: {
      ($0 as? CaptureError)?.code == .disconnected
    }

    #expect(!studio.device.isConnected)
  }

  @Test func survivesEverythingAtOnce() async throws {
    let cameras = [CaptureSessionTests.smallCamera(), CaptureSessionTests.smallCamera()]
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: cameras)])
    let devices = try await environment.devices()
    let session = CaptureSession()
    let photos = CapturePhotoOutput()
    try session.add(photos)
    let recorders = (0..<10).map { _ in PhotoRecorder() }

    await withTaskGroup(of: Void.self) { group in
      for index in 0..<60 {
        let device = devices[index % 2]
        group.addTask {
          switch index % 6 {
          case 0: try? await session.start()
          case 1:
            if let input = try? CaptureDeviceInput(device: device) { session.addInput(input) }
          case 2:
            let tap = FrameTap()
            session.addOutput(tap)
            session.removeOutput(tap)
          case 3:
            session.beginConfiguration()
            if let input = session.inputs.last { session.removeInput(input) }
            session.commitConfiguration()
          case 4: await session.stop()
          default:
            photos.capturePhoto(
              with: CapturePhotoSettings(timeout: .seconds(1)), delegate: recorders[index / 6])
          }
        }
      }
    }
    await session.stop()

    for recorder in recorders {
      let calls = await recorder.finished.calls
      #expect(calls.first == "willBegin" && calls.last == "didFinish")
    }
    #expect(!session.connections.contains { $0.isActive })
    for camera in cameras {
      #expect(camera.counters.opened == camera.counters.closed)
      #expect(camera.counters.started == camera.counters.stopped)
    }
  }
}
