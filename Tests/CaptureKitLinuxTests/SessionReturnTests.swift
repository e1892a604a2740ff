import CaptureKitMocks
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// A camera that is back before the session has come to wait for it.
@Suite(.timeLimit(.minutes(1)))
struct SessionReturnTests {
  /// Simulated cameras whose streams do something when they are stopped.
  private struct Backend: CaptureBackend {
    let mock: MockBackend
    let onStop: @Sendable () -> Void

    func devices() async throws -> [CaptureDeviceDescription] { await mock.devices() }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
      Stream(try mock.open(device), onStop: onStop)
    }
  }

  private final class Stream: CaptureStream {
    private let stream: any CaptureStream
    private let onStop: @Sendable () -> Void

    init(_ stream: any CaptureStream, onStop: @escaping @Sendable () -> Void) {
      self.stream = stream
      self.onStop = onStop
    }

    func start(_ format: CaptureFormat) throws { try stream.start(format) }

    func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
      try stream.nextFrame(before: deadline)
    }

    func interrupt() { stream.interrupt() }

    func stop() {
      onStop()
      stream.stop()
    }
  }

  @Test func resumesWithACameraThatSomebodyElseFoundFirst() async throws {
    let camera = CaptureSessionTests.smallCamera()
    let found = Mutex<CaptureEnvironment?>(nil)
    let backend = Backend(mock: MockBackend(cameras: [camera])) {
      // The driver takes its time; meanwhile the camera is plugged in, and somebody looks.
      guard let environment = found.withLock({ $0.take() }) else { return }
      camera.replug()
      _ = environment.devicesNow()
    }
    let environment = CaptureEnvironment(backends: [backend])
    let device = try #require(try await environment.devices().first)
    let session = CaptureSession()
    session.resumesAfterReconnect = true
    try session.add(try CaptureDeviceInput(device: device))
    let tap = FrameTap()
    try session.add(tap)
    try await session.start()
    await tap.frames(1)
    let states = session.states

    found.withLock { $0 = environment }
    camera.unplug()

    var wasInterrupted = false
    for await state in states {
      if case .interrupted = state { wasInterrupted = true }
      if wasInterrupted, state == .running { break }
    }
    #expect(session.inputs.first?.device.isConnected == true)
    #expect(session.inputs.first?.device !== device)
    await session.stop()
  }
}
