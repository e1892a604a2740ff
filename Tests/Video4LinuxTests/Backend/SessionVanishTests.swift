import CaptureKitLinux
import LinuxSystem
import Testing

/// A camera that is unplugged at every step of a session's life.
@Suite(.timeLimit(.minutes(1)))
struct SessionVanishTests {
  /// From the look at the node to the stop, and some frames more.
  @Test(arguments: 0..<100)
  func isSaidAtOnceAndLeavesNothingBehind(call: Int) async throws {
    let kernel = FakeKernel(.raw)
    kernel.vanish(atCall: call)

    do {
      let studio = try await KernelStudio(kernel)
      _ = try await studio.onePhoto(CapturePhotoSettings(timeout: .seconds(50)))
    } catch let error as CaptureError {
      let expected: [CaptureError.Code] = [.disconnected, .noDevice]
      #expect(expected.contains(error.code), "\(error)")
    }

    await expectNothingLeftSoon(of: kernel)
  }

  @Test func takesAPhotoOfACameraThatStays() async throws {
    let kernel = FakeKernel(.raw)

    let photo = try await KernelStudio(kernel).onePhoto()

    #expect(photo.fileDataRepresentation() != nil)
    await expectNothingLeftSoon(of: kernel)
  }

  @Test func keepsNothingOfManySessions() async throws {
    let kernel = FakeKernel(.raw)
    let studio = try await KernelStudio(kernel)

    for _ in 0..<200 {
      try await studio.session.start()
      await studio.session.stop()
    }

    await expectNothingLeftSoon(of: kernel)
  }

  @Test(arguments: [
    FakeFault.every(.streamOn, .noSpace), .every(.requestBuffers, .busy),
    .every(.streamOn, .accessDenied), .every(.mmap, .noMemory),
    .every(.setFormat, .invalidArgument),
    .every(.queueBuffer, .inputOutput), .every(.dequeueBuffer, .inputOutput),
  ])
  func saysWhatFailed(fault: FakeFault) async throws {
    let kernel = FakeKernel(.raw, faults: [fault])
    let studio = try await KernelStudio(kernel)

    let error = await #expect(throws: CaptureError.self) { try await studio.onePhoto() }

    // What fails before the photo is asked for is told by the session alone.
    let errno = error?.code == .notRunning ? studio.session.lastError?.errno : error?.errno
    #expect(errno == fault.errno.rawValue)
    #expect(studio.device.isConnected)
    await expectNothingLeftSoon(of: kernel)
  }
}
