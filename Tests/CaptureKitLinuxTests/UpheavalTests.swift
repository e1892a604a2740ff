import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Synchronization
import Testing

/// Cameras, sessions and batches that come and go at every moment: whatever was asked for ends,
/// once.
@Suite(.timeLimit(.minutes(1)))
struct UpheavalTests {
  private static let sizes = [(320, 240), (640, 480)].map {
    VideoDimensions(width: $0, height: $1)
  }

  /// One of each kind of photo.
  private static func settings(_ number: Int) -> CapturePhotoSettings {
    let settings = CapturePhotoSettings(timeout: .seconds(1))
    switch number % 3 {
    case 0:
      settings.bracketedSettings = [
        .manualExposure(duration: .milliseconds(3)), .manualExposure(gain: 7),
      ]
    case 1: settings.maxPhotoDimensions = sizes[1]
    default: settings.burstCount = 4
    }
    return settings
  }

  @Test(arguments: 0..<8)
  func aSessionThatGoesLeavesNothingBehind(moment: Int) async throws {
    let format = moment % 2 == 0 ? PixelFormat.mjpeg : .yuyv
    let camera = MockCamera(
      frames: .testPattern(format, width: 320, height: 240),
      formats: Self.sizes.map { CaptureDevice.Format(format, dimensions: $0) })
    let before = camera.controlValues
    let recorders = (0..<6).map { _ in PhotoRecorder() }
    var studio: Studio? = try await Studio(camera)
    studio?.photos.maxPhotoDimensions = Self.sizes[1]
    studio?.session.resumesAfterReconnect = moment % 3 == 0
    try studio?.session.setSessionPreset(.low)
    try await studio?.session.start()
    for (number, recorder) in recorders.enumerated() {
      studio?.photos.capturePhoto(with: Self.settings(number), delegate: recorder)
    }
    let frames = FrameTap()
    studio?.session.addOutput(frames)
    if moment > 0 { await frames.frames(moment) }

    let isUnplugged = moment % 4 > 1
    if isUnplugged { camera.unplug() }
    if moment % 4 == 3 { camera.replug() }
    studio = nil

    for recorder in recorders {
      let calls = await recorder.finished.calls
      #expect(calls.first == "willBegin" && calls.last == "didFinish")
      #expect(calls.filter { $0 == "didFinish" || $0 == "willBegin" }.count == 2)
    }
    if !isUnplugged { #expect(camera.controlValues == before) }
    while camera.counters.opened != camera.counters.closed { await Task.yield() }
  }

  @Test(arguments: -1..<12)
  func aPhotoEndsWheneverTheCameraGoesAndComesBack(frame: Int) async throws {
    for (delay, resumes) in [(0, true), (0, false), (10, true), (500, true), (500, false)] {
      let clock = ManualClock()
      let camera = MockCamera(frames: .testPattern(.mjpeg, width: 160, height: 120))
      let studio = try await Studio(camera, clock: clock)
      studio.session.resumesAfterReconnect = resumes
      studio.photos.settlingTime = .zero
      camera.script = [.unplug(afterFrame: frame), .replug(after: .milliseconds(delay))]
      studio.session.startRunning()
      let isOver = Atomic(false)
      let recorder = studio.takePhoto()
      let photo = Task {
        defer { isOver.store(true, ordering: .releasing) }
        return await recorder.finished.calls
      }

      await clock.pass(waiters: 2) { isOver.load(ordering: .acquiring) }

      let calls = await photo.value
      #expect(calls.first == "willBegin" && calls.last == "didFinish")
      if resumes { await clock.pass { studio.session.state == .running } }
      await studio.session.stop()
      #expect(camera.counters.opened == camera.counters.closed)
    }
  }

  @Test func batchesOfManyThreadsLeaveTheSessionWhole() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let session = studio.session
    try await session.start()

    await withTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          switch index % 4 {
          case 0:
            session.beginConfiguration()
            session.sessionPreset = index % 8 == 0 ? .low : .high
            session.commitConfiguration()
          case 1:
            try? session.configure {
              try session.add(FrameTap())
              throw CaptureError(.stopped)
            }
          case 2:
            let tap = FrameTap()
            session.addOutput(tap)
            session.beginConfiguration()
            session.removeOutput(tap)
            session.beginConfiguration()
            session.commitConfiguration()
            session.commitConfiguration()
          default:
            let settings = CapturePhotoSettings(timeout: .seconds(1))
            _ = try? await studio.photos.capturePhoto(with: settings)
          }
        }
      }
    }

    #expect(session.isRunning && session.inputs.count == 1)
    #expect(session.connections.count == session.outputs.count)
    await session.stop()
    #expect(studio.camera.counters.opened == studio.camera.counters.closed)
  }

  @Test(arguments: [0, 1, -5, Int.max, Int.min])
  func formatsMayBeOfAnySize(side: Int) async throws {
    let square = VideoDimensions(width: side, height: side)
    let formats =
      [PixelFormat.yuyv, .mjpeg, .nv12].map { CaptureDevice.Format($0, dimensions: square) } + [
        CaptureDevice.Format(
          .yuyv, from: VideoDimensions(width: side, height: 0),
          through: VideoDimensions(width: 7, height: side),
          by: VideoDimensions(width: 0, height: .max))
      ]
    let camera = MockCamera(frames: .testPattern(.yuyv, width: 64, height: 48), formats: formats)
    let studio = try await Studio(camera)
    studio.photos.maxPhotoDimensions = square

    for preset in [CaptureSession.Preset.photo, .high, .low, .vga640x480, .hd4K3840x2160] {
      let isPossible = studio.session.canSetSessionPreset(preset)
      #expect((try? studio.session.setSessionPreset(preset)) != nil || !isPossible)
    }
    #expect(!studio.session.canSetSessionPreset(.vga640x480))
  }
}
