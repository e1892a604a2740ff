import CaptureKitLinux
import Foundation
import Synchronization
import TestSupport
import Testing

/// What is left behind by many starts and stops: nothing.
@Suite(.inLab(.single, .multiplanar, .usb), .timeLimit(.minutes(4)))
struct EnduranceLabTests {
  @Test func startingAndStoppingLeavesNothingOpen() async throws {
    let studio = try LabStudio.ofThisLab()
    try await studio.onePhoto()
    let before = try await Belongings.atRest()

    for _ in 1...10 { try await studio.onePhoto() }

    try await Belongings.areNoMore(than: before)
    #expect(before.mappings == 0)
  }

  @Test(.inLab(.single, .usb)) func startingAndStoppingNeedsNoMoreMemory() async throws {
    let studio = try LabStudio.ofThisLab()
    // It keeps copies of frames.
    studio.session.removeOutput(studio.tap)
    // What is made once is there after these, caches and allocators' arenas included.
    for _ in 1...50 { try await startAndStop(studio) }
    let before = try await Belongings.atRest()

    // malloc(3) keeps what a thread has freed for that thread, and a thread may come or go at any
    // time: what one round has more says little, but a leak is in every round.
    var rounds: [(allocated: Int, resident: Int)] = []
    for _ in 1...8 {
      let (allocated, resident) = (ProcessMemory.allocated, ProcessMemory.resident)
      for _ in 1...50 { try await startAndStop(studio) }
      rounds.append((ProcessMemory.allocated - allocated, ProcessMemory.resident - resident))
    }

    try await Belongings.areNoMore(than: before)
    print("bytes more after 50 starts and stops, allocated and resident: \(rounds)")
    #expect(try #require(rounds.map(\.allocated).min()) < 8 << 10)
    #expect(try #require(rounds.map(\.resident).min()) < 1 << 20)
  }

  private func startAndStop(_ studio: LabStudio) async throws {
    try await studio.session.start()
    await studio.session.stop()
  }

  @Test func lettingGoOfARunningSessionClosesTheCamera() async throws {
    let before = try await Belongings.atRest()
    do {
      let studio = try LabStudio.ofThisLab()
      try await studio.session.start()
      _ = try await studio.photo()
      let running = try Belongings.now()
      #expect(running.cameras > before.cameras && running.threads == ["camera"])
    }
    try await until("the camera is closed") { try Belongings.now().cameras == before.cameras }
    try await until("its memory is unmapped") { try Belongings.now().mappings == 0 }
    try await until("its thread has ended") { try Belongings.now().threads.isEmpty }
  }

  @Test func aFrameThatIsKeptOutlivesItsStream() async throws {
    let studio = try LabStudio.ofThisLab()
    try await studio.onePhoto()
    let before = try await Belongings.atRest()
    let keeper = FrameKeeper()
    try studio.session.add(keeper)
    try await studio.onePhoto()

    let kept = try #require(keeper.checksum)
    try await studio.onePhoto()

    #expect(keeper.checksum == kept)
    #expect(try Belongings.now().mappings > 0)
    keeper.letGo()
    try await Belongings.areNoMore(than: before)
  }
}

/// Keeps the first frame that it gets, and with it one of the driver's buffers.
private final class FrameKeeper: CaptureOutput {
  private let frame = Mutex<CapturedFrame?>(nil)

  /// A sum over the frame's bytes as they are now; nil where there is none.
  var checksum: UInt64? {
    frame.withLock { $0 }.map { frame in
      frame.bytes.withUnsafeBytes { $0.reduce(0) { $0 &* 31 &+ UInt64($1) } }
    }
  }

  func letGo() { frame.withLock { $0 = nil } }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    self.frame.withLock { $0 = $0 ?? frame }
  }
}
