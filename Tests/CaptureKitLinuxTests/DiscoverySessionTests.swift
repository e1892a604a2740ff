import CaptureKitMocks
import Observation
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct DiscoverySessionTests {
  private let clock = ManualClock()
  private let camera = MockCamera()
  private let environment: CaptureEnvironment

  init() {
    let backend = MockBackend(cameras: [camera], clock: clock)
    environment = CaptureEnvironment(backends: [backend], clock: clock)
  }

  private func session(
    _ types: [CaptureDevice.DeviceType] = [.external]
  ) -> CaptureDevice.DiscoverySession {
    environment.run {
      CaptureDevice.DiscoverySession(
        deviceTypes: types, mediaType: .video, position: .unspecified)
    }
  }

  @Test func followsTheCamerasThatComeAndGo() async throws {
    let session = session()
    let first = try #require(session.devices.first)
    clock.advance(by: CaptureDevice.DiscoverySession.delay)

    camera.unplug()
    while !session.devices.isEmpty { await Task.yield() }
    #expect(!first.isConnected)
    camera.replug()
    while session.devices.isEmpty { await Task.yield() }

    #expect(session.devices.first?.uniqueID == first.uniqueID)
    #expect(session.devices.first !== first)
  }

  @Test func canBeObserved() async throws {
    let session = session()
    clock.advance(by: CaptureDevice.DiscoverySession.delay)
    let (changes, change) = AsyncStream<Void>.makeStream()
    let count = withObservationTracking {
      session.devices.count
    } onChange: {
      change.yield()
    }
    #expect(count == 1)

    camera.unplug()
    await changes.first { true }

    #expect(session.devices.isEmpty)
  }

  @Test func learnsFromAnybodysLook() async throws {
    let session = session()
    camera.unplug()
    _ = try await environment.devices()
    #expect(session.devices.isEmpty)
  }

  @Test func costsOneLookWhenItIsOnlyRead() async {
    let backend = ListeningBackend()
    CaptureEnvironment(backends: [backend], clock: clock).run {
      let session = CaptureDevice.DiscoverySession(
        deviceTypes: [.external], mediaType: .video, position: .unspecified)
      #expect(session.devices.isEmpty)
    }
    #expect(clock.scheduledCount == 0)
    #expect(backend.counts == ListeningBackend.Counts(looks: 1))
  }

  @Test func endsTheWatchWhenItIsLetGoOf() async {
    let backend = ListeningBackend()
    var session: CaptureDevice.DiscoverySession? = CaptureEnvironment(
      backends: [backend], clock: clock
    ).run {
      CaptureDevice.DiscoverySession(
        deviceTypes: [.external], mediaType: .video, position: .unspecified)
    }
    clock.advance(by: CaptureDevice.DiscoverySession.delay)
    await backend.next()
    #expect(session?.devices.isEmpty == true)

    session = nil
    await backend.next()

    #expect(backend.counts.begun == 1 && backend.counts.ended == 1)
  }

  @Test func findsNothingButVideo() {
    let session = environment.run {
      CaptureDevice.DiscoverySession(
        deviceTypes: [.external], mediaType: .audio, position: .unspecified)
    }
    #expect(session.devices.isEmpty)
    #expect(clock.scheduledCount == 0)
  }
}
