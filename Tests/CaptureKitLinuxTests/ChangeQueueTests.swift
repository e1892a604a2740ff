import CaptureKitMocks
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct ChangeQueueTests {
  @Test func keepsTheOrder() async throws {
    let devices = try await Self.devices(3)
    var queue = ChangeQueue()
    let changes: [CaptureDeviceChange] = [
      .connected(devices[0]), .updated(devices[1]), .disconnected(devices[2]),
    ]

    for change in changes { queue.append(change) }

    #expect([queue.take(), queue.take(), queue.take(), queue.take()] == changes + [nil])
  }

  @Test func losesOnlyWhatCameAndWent() async throws {
    let devices = try await Self.devices(ChangeQueue.limit)
    var queue = ChangeQueue()
    queue.append(.disconnected(devices[0]))
    queue.append(.connected(devices[1]))
    for device in devices[2...] {
      queue.append(.connected(device))
      queue.append(.updated(device))
      queue.append(.disconnected(device))
      #expect(queue.count <= ChangeQueue.limit)
    }

    #expect(queue.take() == .disconnected(devices[0]))
    #expect(queue.take() == .connected(devices[1]))
  }

  private static func devices(_ count: Int) async throws -> [CaptureDevice] {
    let cameras = (0..<count).map { _ in MockCamera() }
    return try await CaptureEnvironment(backends: [MockBackend(cameras: cameras)]).devices()
  }
}
