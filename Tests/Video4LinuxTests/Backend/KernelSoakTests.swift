import CaptureKitLinux
import LinuxSystem
import Synchronization
import TestSupport
import Testing

/// Very many frames through the backend of the kernel's cameras; run by `Scripts/soak`.
@Suite(.enabled("run by Scripts/soak") { Soak.frameCount != nil }, .timeLimit(.minutes(30)))
struct KernelSoakTests {
  @Test func leavesNothingBehindOfManyFrames() async throws {
    let count = Soak.frameCount ?? 0
    let kernel = FakeKernel(.raw)
    kernel.keepsLog = false
    let studio = try await KernelStudio(kernel)
    let video = CaptureVideoDataOutput()
    let seen = Atomic(0)
    video.setFrameHandler { frame in
      if frame.pixelBuffer != nil { seen.add(1, ordering: .relaxed) }
    }
    try studio.session.add(video)

    try await studio.session.start()
    try await frames(count / 10, of: studio)
    let soak = Soak()
    let buffers = kernel.bufferCount
    try await frames(count, of: studio)
    let leaks = soak.leaks(after: "\(count) frames of a fake driver")
    #expect(kernel.bufferCount == buffers)
    await studio.session.stop()

    #expect(leaks == [])
    #expect(seen.load(ordering: .relaxed) > 0)
    await expectNothingLeftSoon(of: kernel)
  }

  /// Returns when so many frames were delivered.
  private func frames(_ count: Int, of studio: KernelStudio) async throws {
    while studio.session.statistics.delivered < count {
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
