import AVFoundationCompat
import CaptureKitMocks
import Testing

extension PortedCodeTests {
  struct CameraEngineTests {
    private let front = MockCamera(
      name: "Front", position: .front, frames: .testPattern(.mjpeg, width: 320, height: 240))
    private let back = MockCamera(
      name: "Back", position: .back, frames: .testPattern(.yuyv, width: 640, height: 480))

    private final class Log: CameraEngineDelegate {
      private let lock = NSLock()
      private var noted: [String] = []
      private var taken: [(data: Data?, error: Error?)] = []

      var notes: [String] { lock.withLock { noted } }
      var photos: [(data: Data?, error: Error?)] { lock.withLock { taken } }

      func cameraEngine(_ engine: CameraEngine, didTake photo: Data?, error: Error?) {
        lock.withLock { taken.append((photo, error)) }
      }

      func cameraEngine(_ engine: CameraEngine, note: String) {
        lock.withLock { noted.append(note) }
      }
    }

    private func run(
      held orientation: UIDeviceOrientation = .portrait,
      _ body: (CameraEngine, Log) async throws -> Void
    ) async throws {
      try await onMachine(with: [front, back], held: orientation) {
        let (engine, log) = (CameraEngine(), Log())
        engine.delegate = log
        engine.setUp()
        engine.start()
        await idle(engine)
        #expect(engine.setupResult == .success)
        try await body(engine, log)
        engine.stop()
        await idle(engine)
      }
    }

    private func idle(_ engine: CameraEngine) async {
      await withCheckedContinuation { continuation in engine.whenIdle { continuation.resume() } }
    }

    private func photo(_ engine: CameraEngine, _ log: Log) async throws -> UIImage {
      let count = log.photos.count
      engine.capturePhoto()
      try await wait { log.photos.count > count }
      return try #require(log.photos[count].data.flatMap(UIImage.init(data:)))
    }

    @Test func switchesCamerasWhileItRuns() async throws {
      try await run { engine, log in
        let first = engine.videoDeviceInput.device.position
        let one = try await photo(engine, log)
        engine.switchCamera()
        await idle(engine)
        #expect(engine.session.isRunning)
        let other = try await photo(engine, log)

        #expect(engine.videoDeviceInput.device.position != first)
        #expect(engine.session.inputs.count == 1)
        #expect(Set([one.size.width, other.size.width]) == [320, 640])
        for image in [one, other] {
          let pattern = TestPattern(width: image.pixelWidth, height: image.pixelHeight)
          let (x, y) = pattern.center(ofBar: 5)
          #expect(
            try image.pixelBuffer().color(x: x, y: y).isNear(TestPattern.color(ofBar: 5)))
        }
        engine.switchCamera()
        await idle(engine)
        #expect(engine.videoDeviceInput.device.position == first)
      }
      #expect(front.counters.opened == front.counters.closed)
      #expect(back.counters.opened == back.counters.closed)
    }

    @Test func focusesAndExposesWhereItIsTapped() async throws {
      for camera in [front, back] {
        camera.controls =
          MockCamera.webcamControls + [
            CaptureControl(.startAutomaticFocus, name: "Focus, Automatic Start", kind: .button)
          ]
      }
      try await run { engine, _ in
        engine.previewLayer.frame = CGRect(x: 0, y: 0, width: 320, height: 240)
        engine.focusAndExpose(atTappedPoint: CGPoint(x: 80, y: 120))
        await idle(engine)

        let device = engine.videoDeviceInput.device
        #expect(device.focusMode == .locked)
        #expect(device.exposureMode == .continuousAutoExposure)
        let settings = device.position == .front ? front.controlSettings : back.controlSettings
        #expect(settings.contains { $0.id == .startAutomaticFocus })
        #expect(device.lastError == nil)
      }
    }

    @Test func takesThePhotoWithoutAFlashThatIsNotThere() async throws {
      try await run { engine, log in
        for mode in AVCaptureDevice.FlashMode.allCases {
          engine.flashMode = mode
          _ = try await photo(engine, log)
        }
        #expect(log.photos.allSatisfy { $0.error == nil })
      }
    }

    @Test func setsTheFrameRateByTimes() async throws {
      try await run { engine, _ in
        engine.setFrameRate(30)
        await idle(engine)

        let device = engine.videoDeviceInput.device
        #expect(device.activeVideoMinFrameDuration == CMTimeMake(value: 1, timescale: 30))
        #expect(device.activeVideoMaxFrameDuration.seconds == 1.0 / 30)
      }
    }

    @Test func isToldOfAnInterruptionAndItsEnd() async throws {
      front.script = [.busy]
      back.script = [.busy]
      try await run { engine, log in
        #expect(!engine.session.isRunning)
        try await wait { log.notes.contains("interrupted videoDeviceInUseByAnotherClient") }
        front.script = []
        back.script = []
        try await wait { log.notes.contains("interruption ended") }

        #expect(engine.session.isRunning)
        _ = try await photo(engine, log)
      }
    }

    @Test func isToldThatItsCameraWentAndUsesItWhenItIsBack() async throws {
      try await run { engine, log in
        let position = engine.videoDeviceInput.device.position
        let camera = position == .front ? front : back
        camera.unplug()
        try await wait { log.notes.contains("disconnected \(camera.name)") }
        try await wait { log.notes.contains("runtime error disconnected") }
        #expect(!engine.session.isRunning)

        camera.replug()
        try await wait { log.notes.contains("using \(camera.name)") }
        await idle(engine)
        #expect(log.notes.contains("connected \(camera.name)"))
        #expect(engine.session.isRunning)
        #expect(try await photo(engine, log).size.width > 0)
      }
    }
  }
}
