import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// Events of one request that several threads bring about at the same moment.
@Suite(.timeLimit(.minutes(1)))
struct PhotoEventOrderTests {
  @Test func tellsTheEndLastWhoeverEndsItMeanwhile() async throws {
    let bench = try await VideoBench()
    for round in 0..<400 {
      let queue = PhotoRequestQueue()
      queue.streamStarted(bench.connection, settledAt: HostTime(nanoseconds: 0))
      var resolved = CaptureResolvedPhotoSettings(
        uniqueID: 1, photoDimensions: VideoDimensions(width: 64, height: 32))
      resolved.expectedPhotoCount = 2
      let calls = Mutex<[String]>([])
      let (end, ended) = AsyncStream<Void>.makeStream()
      queue.submit(
        PhotoRequestQueue.Order(
          connection: bench.connection, resolved: resolved,
          processor: PhotoProcessor(
            wishes: PhotoWishes(), turn: bench.connection.uprightTurn, manufacturer: "", model: ""),
          requestedAt: HostTime(nanoseconds: 1),
          handler: { event in
            calls.withLock { $0.append("\(event)".prefix { $0 != "(" }.description) }
            if case .didFinish = event { ended.finish() }
          }))

      queue.receive(try FramePixelsTests.raw(UInt64(round)), from: bench.connection)
      // As soon as the first picture is made, on another thread, the camera ends.
      while queue.state.withLock({ $0.entries.first?.machine.processingCount ?? 0 }) > 0 {}
      queue.end(1, CaptureError(.stopped))

      for await _ in end {}
      // What comes too late would come now.
      queue.pictures.sync {}
      queue.callbacks.sync {}
      let seen = calls.withLock { $0 }
      #expect(
        seen == [
          "willBegin", "willCapture", "didFinishProcessing", "didCapture", "didFinishProcessing",
          "didFinish",
        ], "round \(round)")
    }
  }

  @Test func tellsOfNoCameraAsUnpluggedWhileItSaysThatItIsThere() async throws {
    for _ in 0..<400 {
      let camera = CaptureSessionTests.smallCamera()
      let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
      let device = try #require(try await environment.devices().first)
      let (reader, _) = environment.registry.addReader()

      Thread.detachNewThread { _ = environment.registry.lose(device, now: .now) }

      var change: CaptureDeviceChange?
      while change == nil { change = environment.registry.takeChange(for: reader) }
      #expect(change?.device.isConnected == false)
    }
  }
}
