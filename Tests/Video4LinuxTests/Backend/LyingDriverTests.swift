import CaptureKitLinux
import Imaging
import Testing
import Video4Linux

/// Photos of cameras whose drivers say what is not so.
@Suite(.timeLimit(.minutes(1)))
struct LyingDriverTests {
  private static func device(_ change: (inout FakeDevice) -> Void) -> FakeDevice {
    var device = FakeDevice.raw
    change(&device)
    return device
  }

  private static func device(beginningWith frame: FakeFrame) -> FakeDevice {
    device { $0.frames = Array(repeating: frame, count: 5) }
  }

  @Test(arguments: [
    FakeFrame(bytesUsed: 0), FakeFrame(bytesUsed: 10), FakeFrame(hasError: true),
  ])
  func leavesDamagedFramesOut(frame: FakeFrame) async throws {
    let kernel = FakeKernel(Self.device(beginningWith: frame))
    let studio = try await KernelStudio(kernel)

    let photo = try await studio.onePhoto()

    #expect(try photo.image.pixelWidth == 640)
    #expect(studio.session.statistics.damaged == 5)
    await expectNothingLeftSoon(of: kernel)
  }

  @Test func takesAPhotoOfADriverThatNeitherStampsNorCounts() async throws {
    let silent = FakeFrame(sequenceGap: .max, stamp: (0, 0))
    let kernel = FakeKernel(Self.device { $0.frames = Array(repeating: silent, count: 100_000) })
    let studio = try await KernelStudio(kernel)

    let photo = try await studio.onePhoto()

    #expect(photo.timestamp?.reference == .pickup)
    #expect(studio.session.statistics.duplicate == 0)
  }

  @Test func takesThePhotoInTheSizeThatTheDriverHasChosen() async throws {
    let kernel = FakeKernel(
      Self.device { device in
        device.settles = { fourcc, _ in (fourcc, FrameSize(width: 318, height: 238)) }
        device.rowPadding = 40
      })

    let photo = try await KernelStudio(kernel).onePhoto()

    #expect(try photo.image.pixelWidth == 318 && photo.image.pixelHeight == 238)
    #expect(photo.resolvedSettings.photoDimensions == VideoDimensions(width: 318, height: 238))
  }

  @Test func saysThatNoPictureIsWholeWhereBuffersAreTooSmall() async throws {
    try await expectNoWholePicture(of: FakeKernel(Self.device { $0.memoryLength = 4096 }))
  }

  @Test func saysThatNoPictureIsWholeWhereTheDriverMarksAll() async throws {
    let damaged = FakeFrame(hasError: true)
    try await expectNoWholePicture(
      of: FakeKernel(Self.device { $0.frames = Array(repeating: damaged, count: 100_000) }))
  }

  private func expectNoWholePicture(of kernel: FakeKernel) async throws {
    let studio = try await KernelStudio(kernel)

    await #expect {
      try await studio.onePhoto(CapturePhotoSettings(timeout: .milliseconds(300)))
    } throws: {
      ($0 as? CaptureError)?.code == .corruptFrame
    }
    await expectNothingLeftSoon(of: kernel)
  }
}
