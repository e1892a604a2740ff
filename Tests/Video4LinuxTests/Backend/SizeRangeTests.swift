import CaptureKitLinux
import Imaging
import Testing
import Video4Linux

/// Cameras that scale: a range of sizes, whose end need not lie on its steps.
@Suite(.timeLimit(.minutes(1)))
struct SizeRangeTests {
  private static func intervals(_ framesPerSecond: UInt32) -> FrameIntervals {
    .discrete([FrameInterval(numerator: 1, denominator: framesPerSecond)].compactMap(\.self))
  }

  /// Slow at its full size, 2592x1944, fast at others.
  private static let sensor: FakeDevice = {
    var device = FakeDevice.raw
    let sizes = FrameSizeRange(
      minimum: FrameSize(width: 32, height: 32), maximum: FrameSize(width: 2600, height: 1950),
      step: FrameSize(width: 16, height: 8))
    device.formats[0].sizes = .stepwise(sizes)
    device.formats[0].intervals = intervals(30)
    device.formats[0].intervalsOfSizes = [FrameSize(width: 2592, height: 1944): intervals(10)]
    return device
  }()

  @Test func takesThePhotoInTheLargestSizeOnTheSteps() async throws {
    let kernel = FakeKernel(Self.sensor)
    let studio = try await KernelStudio(kernel)
    studio.session.sessionPreset = .photo

    let photo = try await studio.onePhoto()

    #expect(try photo.image.pixelWidth == 2592 && photo.image.pixelHeight == 1944)
    await expectNothingLeftSoon(of: kernel)
  }

  @Test func takesTheCamerasOwnFormatAsActiveFormat() async throws {
    let device = try await KernelStudio(FakeKernel(Self.sensor)).device
    let format = try #require(device.formats.first)
    #expect(format.description == "YUYV 32x32...2592x1944 10 fps")

    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    try device.setActiveFormat(format)
    #expect(device.activeFormat == format)
  }

  @Test func asksForTheRatesOfTheSizeThatIsUsed() async throws {
    let studio = try await KernelStudio(FakeKernel(Self.sensor))
    studio.session.sessionPreset = .high
    let format = try #require(studio.device.formats.first)

    #expect(format.offers(VideoDimensions(width: 1920, height: 1080)))
    let narrowed = format.narrowed(to: VideoDimensions(width: 1920, height: 1080))
    #expect(narrowed?.minFrameDuration == .framesPerSecond(30))
    // Not asked for: as of the next larger one that was.
    #expect(
      format.narrowed(to: VideoDimensions(width: 1600, height: 1080))?.minFrameDuration
        == .framesPerSecond(30))
    #expect(
      format.narrowed(to: VideoDimensions(width: 2560, height: 1440))?.minFrameDuration
        == .framesPerSecond(10))
    try await studio.session.start()
    #expect(studio.photos.connections.first?.format?.frameDuration == .framesPerSecond(30))
    await studio.session.stop()
  }
}
