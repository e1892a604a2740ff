import CaptureKitLinux
import Synchronization
import Testing

/// Outputs that keep the frames they get.
@Suite(.timeLimit(.minutes(1)))
struct KeptFramesTests {
  private final class Hoarder: CaptureOutput {
    private let kept = Mutex<[CapturedFrame]>([])
    private let drops = Mutex<Set<FrameDropReason>>([])
    private let limit: Int
    private let ticks: AsyncStream<Int>
    private let tick: AsyncStream<Int>.Continuation

    init(keeping limit: Int) {
      self.limit = limit
      (ticks, tick) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
      let count = kept.withLock { kept in
        if kept.count < limit { kept.append(frame) }
        return kept.count
      }
      tick.yield(count)
    }

    func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
      drops.withLock { _ = $0.insert(frame.reason) }
    }

    var dropReasons: Set<FrameDropReason> { drops.withLock { $0 } }

    /// Returns when so many frames are kept.
    func keeps(_ count: Int) async {
      for await kept in ticks where kept >= count { return }
    }

    func letGo() { kept.withLock { $0 = [] } }

    var firstBytes: [UInt8] {
      kept.withLock { $0.map { $0.bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) } }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt32])
  func doNotKeepTheCameraFromTakingPhotos(granted: UInt32) async throws {
    var device = FakeDevice.raw
    device.grantedCount = { _ in granted }
    let kernel = FakeKernel(device)
    let studio = try await KernelStudio(kernel)
    let hoarder = Hoarder(keeping: 7)
    try studio.session.add(hoarder)
    try await studio.session.start()
    await hoarder.keeps(7)

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(photo.fileDataRepresentation() != nil)
    #expect(hoarder.firstBytes.count == 7)
    await studio.session.stop()
    hoarder.letGo()
    await expectNothingLeftSoon(of: kernel)
  }

  @Test func areBoundedAndComeAgainWhenTheyAreLetGo() async throws {
    let kernel = FakeKernel(.raw)
    let studio = try await KernelStudio(kernel)
    let hoarder = Hoarder(keeping: .max)
    try studio.session.add(hoarder)
    try await studio.session.start()
    await hoarder.keeps(10)
    while studio.session.statistics.outOfBuffers < 10 { await Task.yield() }
    #expect(kernel.queuedCount > 0)
    #expect(hoarder.dropReasons.contains(.outOfBuffers))
    #expect(hoarder.firstBytes.count == 10)

    hoarder.letGo()

    await hoarder.keeps(5)
    await studio.session.stop()
    hoarder.letGo()
    await expectNothingLeftSoon(of: kernel)
  }
}
