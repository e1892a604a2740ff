import CaptureKitLinux
import CaptureKitMocks
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DeviceWatchTests {
  private let clock = ManualClock()

  private func environment(_ cameras: MockCamera...) -> CaptureEnvironment {
    CaptureEnvironment(backends: [MockBackend(cameras: cameras, clock: clock)], clock: clock)
  }

  @Test func tellsOfAReplugOnce() async throws {
    let camera = MockCamera()
    let environment = environment(camera)
    let first = try #require(try await environment.devices().first)
    var changes = environment.deviceChanges.makeAsyncIterator()

    camera.unplug()
    #expect(await changes.next() == .disconnected(first))
    #expect(!first.isConnected)
    camera.replug()
    let second = try #require(await changes.next()?.device)

    #expect(second !== first && second.uniqueID == first.uniqueID)
    #expect(second.isConnected && !first.isConnected)
    #expect(try await environment.devices() == [second])
    camera.unplug()
    #expect(await changes.next() == .disconnected(second))
  }

  @Test func followsManyReplugs() async throws {
    let camera = MockCamera()
    let environment = environment(camera)
    var device = try #require(try await environment.devices().first)
    var changes = environment.deviceChanges.makeAsyncIterator()

    for _ in 0..<100 {
      camera.unplug()
      #expect(await changes.next() == .disconnected(device))
      camera.replug()
      guard case .connected(let back)? = await changes.next() else {
        Issue.record("it did not come back")
        return
      }
      device = back
    }
    #expect(try await environment.devices() == [device])
  }

  @Test func noticesAReplugThatIsQuickerThanALook() async throws {
    let camera = MockCamera()
    let environment = environment(camera)
    let first = try #require(try await environment.devices().first)
    camera.unplug()
    camera.replug()

    var changes = environment.deviceChanges.makeAsyncIterator()

    #expect(await changes.next() == .disconnected(first))
    #expect(await changes.next()?.device.uniqueID == first.uniqueID)
    #expect(!first.isConnected)
  }

  @Test func tellsOfAScriptedReplug() async throws {
    let camera = CaptureSessionTests.smallCamera()
    camera.script = [.unplug(afterFrame: -1), .replug(after: .seconds(2))]
    let environment = environment(camera)
    let device = try #require(try await environment.devices().first)
    var changes = environment.deviceChanges.makeAsyncIterator()
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    try await session.start()

    // The session and the watch both notice.
    #expect(await changes.next() == .disconnected(device))
    await clock.waitForWork()
    clock.advance(by: .seconds(2))

    guard case .connected(let back)? = await changes.next() else {
      Issue.record("it did not come back")
      return
    }
    #expect(back.uniqueID == device.uniqueID && back !== device)
  }

  @Test func postsOneNotificationOfEachChange() async throws {
    let camera = CaptureSessionTests.smallCamera()
    let environment = environment(camera)
    let device = try #require(try await environment.devices().first)
    let losses = NotificationProbe(CaptureDevice.wasDisconnectedNotification, of: device)
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    let end = NotificationProbe(CaptureSession.didStopRunningNotification, of: session)
    var changes = environment.deviceChanges.makeAsyncIterator()
    try await session.start()

    camera.unplug()
    _ = await end.first
    #expect(await changes.next() == .disconnected(device))
    #expect(await losses.first != nil)
    _ = try await environment.devices()
    camera.replug()
    let back = try #require(await changes.next()?.device)

    #expect(back !== device)
    #expect(losses.count == 1)
  }

  @Test func tellsADeniedCameraWhenItIsAllowedOrAfterAWhile() async throws {
    let camera = MockCamera()
    let environment = environment(camera)
    _ = try await environment.devices()
    camera.unplug()
    _ = try await environment.devices()
    var changes = environment.deviceChanges.makeAsyncIterator()
    camera.script = [.noPermission]
    camera.replug()

    await clock.waitForWork()
    clock.advance(by: .seconds(2))
    guard case .connected(let device)? = await changes.next() else {
      Issue.record("nobody said that it is there")
      return
    }
    #expect(device.authorization == .denied)

    camera.script = []
    #expect(await changes.next() == .updated(device))
    #expect(device.authorization == .authorized && device.isConnected)
  }

  @Test func looksAtBackendsThatSayNothing() async throws {
    let backend = QuietBackend()
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    _ = try await environment.devices()
    var changes = environment.deviceChanges.makeAsyncIterator()

    for names in [["door"], [], ["window"]] {
      await clock.waitForWork()
      backend.names.withLock { $0 = names }
      clock.advance(by: .seconds(2))
      #expect(await changes.next()?.device.uniqueID == names.first ?? "door")
    }
  }

  @Test func looksAgainAtABackendThatFailed() async throws {
    let backend = QuietBackend(isListening: true)
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    _ = try await environment.devices()
    backend.failures.withLock { $0 = 1 }
    var changes = environment.deviceChanges.makeAsyncIterator()
    await clock.waitForWork()

    backend.names.withLock { $0 = ["door"] }
    clock.advance(by: .seconds(2))

    #expect(await changes.next()?.device.uniqueID == "door")
  }

  @Test func watchesWhileSomebodyReads() async throws {
    let backend = ListeningBackend()
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    #expect(backend.counts.begun == 0)

    let readers = (0..<2).map { _ in
      Task { for await _ in environment.deviceChanges {} }
    }
    await backend.next()
    #expect(backend.counts.begun == 1)
    for reader in readers { reader.cancel() }
    for reader in readers { await reader.value }
    await backend.next()

    #expect(backend.counts.begun == 1 && backend.counts.ended == 1)
    #expect(clock.scheduledCount == 0)
  }

  @Test func saysThatItNoticesChangesLate() async throws {
    let backend = ListeningBackend(
      CaptureError(.backendFailed, "Too many watches: raise the limit."))
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    #expect(environment.watchError == nil)
    let reader = Task { for await _ in environment.deviceChanges {} }

    while environment.watchError == nil { await Task.yield() }

    #expect(environment.watchError?.description == "Too many watches: raise the limit.")
    reader.cancel()
    await reader.value
    #expect(environment.watchError == nil)
  }

  @Test func noticesTheEndOfACameraThatWasFoundByItsPath() async throws {
    let camera = MockCamera(uniqueID: "door")
    let environment = environment(camera)
    let device = try environment.run { try CaptureDevice(path: "door") }
    _ = try await environment.devices()

    camera.unplug()
    _ = try await environment.devices()

    #expect(!device.isConnected)
  }
}

/// Says nothing of changes, though it may seem to be about to, and fails so many times.
private final class QuietBackend: CaptureBackend {
  let names = Mutex<[String]>([])
  let failures = Mutex(0)
  private let isListening: Bool

  init(isListening: Bool = false) {
    self.isListening = isListening
  }

  func devices() async throws -> [CaptureDeviceDescription] {
    let isFailure = failures.withLock { failures in
      defer { failures = max(0, failures - 1) }
      return failures > 0
    }
    guard !isFailure else { throw CaptureError(.backendFailed) }
    return names.withLock { $0 }.map { CaptureDeviceDescription(uniqueID: $0, localizedName: $0) }
  }

  func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    throw CaptureError.noDevice
  }

  func changes() -> AsyncStream<CaptureBackendEvent> {
    let (stream, continuation) = AsyncStream<CaptureBackendEvent>.makeStream()
    if isListening {
      continuation.onTermination = { _ in _ = continuation }
    } else {
      continuation.finish()
    }
    return stream
  }
}
