import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

/// Outputs, observers and delegates that call back.
@Suite(.timeLimit(.minutes(1)))
struct ReentrancyTests {
  /// Runs closures where the session tells an output of something.
  private final class Meddler: CaptureOutput {
    private let onStart: @Sendable () -> Void
    private let onEnd: @Sendable () -> Void

    init(
      onStart: @escaping @Sendable () -> Void = {}, onEnd: @escaping @Sendable () -> Void = {}
    ) {
      self.onStart = onStart
      self.onEnd = onEnd
    }

    func connection(
      _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
    ) {
      onStart()
    }

    func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {}

    func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
      onEnd()
    }
  }

  @Test func letsAnOutputStopTheSessionWhenItIsToldOfTheStart() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let session = studio.session
    let end = NotificationProbe(CaptureSession.didStopRunningNotification, of: session)
    try session.add(Meddler(onStart: { session.stopRunning() }))

    try await session.start()

    _ = await end.first
    #expect(!session.isRunning)
  }

  @Test func letsAnOutputAddAnotherWhenItIsToldOfTheStart() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let session = studio.session
    let tap = FrameTap()
    try session.add(Meddler(onStart: { session.addOutput(tap) }))

    try await session.start()

    await tap.frames(1)
    #expect(tap.starts == 1)
    await session.stop()
  }

  @Test func letsAnOutputStopTheSessionWhenItIsRemoved() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let session = studio.session
    let end = NotificationProbe(CaptureSession.didStopRunningNotification, of: session)
    let meddler = Meddler(onEnd: { session.stopRunning() })
    try session.add(meddler)
    try await session.start()

    session.removeOutput(meddler)

    _ = await end.first
    #expect(!session.isRunning)
  }

  /// What is added between a camera's last frame and the session's hearing of it.
  @Test func leavesNoConnectionActiveThatComesToADeadCamera() async throws {
    let environment = CaptureEnvironment(backends: [Breaking()])
    let device = try #require(try await environment.devices().first)
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    let end = NotificationProbe(CaptureSession.didStopRunningNotification, of: session)
    let tap = FrameTap()
    let meddler = Meddler(onEnd: {
      let added = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        session.addOutput(tap)
        added.signal()
      }
      added.wait()
    })
    try session.add(meddler)

    try await session.start()

    _ = await end.first
    #expect(session.outputs.contains { $0 === tap })
    #expect(!session.connections.contains { $0.isActive })
    #expect(tap.starts == tap.ends.count)
  }

  /// A camera that breaks at once, but stays plugged in.
  private struct Breaking: CaptureBackend {
    func devices() async throws -> [CaptureDeviceDescription] {
      let size = VideoDimensions(width: 64, height: 48)
      return [
        CaptureDeviceDescription(
          uniqueID: "breaking", localizedName: "Breaking",
          formats: [CaptureDevice.Format(.grey, dimensions: size)])
      ]
    }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream { Stream() }

    private final class Stream: CaptureStream {
      func start(_ format: CaptureFormat) throws {}
      func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
        throw CaptureError(.streamFailed)
      }
      func interrupt() {}
      func stop() {}
    }
  }

  @Test func letsAnObserverPutTheSessionRight() async throws {
    let (lost, left) = (CaptureSessionTests.smallCamera(), CaptureSessionTests.smallCamera())
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [lost, left])])
    let devices = try await environment.devices()
    let session = CaptureSession()
    let tap = FrameTap()
    try session.add(CaptureDeviceInput(device: devices[0]))
    let replacement = try CaptureDeviceInput(device: devices[1])
    let observer = NotificationCenter.default.addObserver(
      forName: CaptureSession.didStopRunningNotification, object: session, queue: nil
    ) { _ in
      session.beginConfiguration()
      for input in session.inputs { session.removeInput(input) }
      session.addInput(replacement)
      session.addOutput(tap)
      session.commitConfiguration()
      session.startRunning()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try await session.start()

    lost.unplug()

    await tap.frames(1)
    #expect(session.isRunning)
    NotificationCenter.default.removeObserver(observer)
    await session.stop()
  }

  @Test func letsGoOfADelegateAfterItsLastCall() async throws {
    enum Event { case call, lastCall, gone }
    final class Delegate: CapturePhotoCaptureDelegate, Sendable {
      let events: AsyncStream<Event>.Continuation
      init(_ events: AsyncStream<Event>.Continuation) { self.events = events }
      func photoOutput(
        _ output: CapturePhotoOutput, willBeginCaptureFor settings: CaptureResolvedPhotoSettings
      ) {
        events.yield(.call)
      }
      func photoOutput(
        _ output: CapturePhotoOutput, didFinishCaptureFor settings: CaptureResolvedPhotoSettings,
        error: (any Error)?
      ) {
        events.yield(.lastCall)
      }
      deinit {
        events.yield(.gone)
        events.finish()
      }
    }
    let studio = try await Studio()
    try await studio.session.start()
    let (events, continuation) = AsyncStream<Event>.makeStream()

    studio.photos.capturePhoto(with: CapturePhotoSettings(), delegate: Delegate(continuation))

    #expect(await events.reduce(into: []) { $0.append($1) } == [.call, .lastCall, .gone])
    await studio.session.stop()
  }
}
