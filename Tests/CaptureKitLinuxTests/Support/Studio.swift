import CaptureKitLinux
import CaptureKitMocks
import Imaging

/// A session with one simulated camera and a photo output: what most tests start from.
struct Studio {
  let camera: MockCamera
  let session = CaptureSession()
  let photos = CapturePhotoOutput()
  let device: CaptureDevice
  /// The clock that was given, or one that nobody reads.
  let clock: ManualClock

  init(
    _ camera: MockCamera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240)),
    clock: ManualClock? = nil
  ) async throws {
    self.camera = camera
    self.clock = clock ?? ManualClock()
    let backend =
      clock.map { MockBackend(cameras: [camera], clock: $0) } ?? MockBackend(cameras: [camera])
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    guard let device = try await environment.devices().first else { throw CaptureError.noDevice }
    self.device = device
    try session.add(try CaptureDeviceInput(device: device))
    try session.add(photos)
  }

  /// Asks for a photo and returns the delegate that follows it.
  func takePhoto(_ settings: CapturePhotoSettings = CapturePhotoSettings()) -> PhotoRecorder {
    let recorder = PhotoRecorder()
    photos.capturePhoto(with: settings, delegate: recorder)
    return recorder
  }
}

extension ManualClock {
  /// Runs something while the clock goes on by itself, whenever the camera waits for it.
  ///
  /// - Parameters:
  ///   - waiters: How much must wait for the clock before it goes on: the camera's next frame, and
  ///     each photo's deadline.
  ///   - body: What to run.
  /// - Returns: What it returns.
  func advancing<Value: Sendable>(
    waiters: Int = 2, _ body: @Sendable () async -> Value
  ) async -> Value {
    let pusher = Task { [self] in
      while !Task.isCancelled {
        await waitForWork(count: waiters)
        advance(by: .milliseconds(10))
      }
    }
    let value = await body()
    pusher.cancel()
    _ = await pusher.value
    return value
  }

  /// Lets time pass until something is so, slowly enough for those who wait for the clock to come
  /// to their waiting.
  func pass(waiters: Int = 1, until isSo: () -> Bool) async {
    while !isSo() {
      // A camera that is silent or being restarted waits for nothing.
      let patience = ContinuousClock.now + .milliseconds(2)
      while scheduledCount < waiters, ContinuousClock.now < patience, !isSo() {
        await Task.yield()
      }
      advance(by: .milliseconds(20))
    }
  }

  /// Lets time pass until something is so, no faster than real time.
  func passSlowly(until isSo: () -> Bool) async {
    while !isSo() {
      try? await Task.sleep(for: .milliseconds(20))
      advance(by: .milliseconds(20))
    }
  }
}
