import CaptureKitLinux
import Imaging
import Testing
import Video4Linux

/// The frame rate that a user sets, and what a driver makes of it.
@Suite(.timeLimit(.minutes(1)))
struct FrameDurationTests {
  private static let tenth = FrameDuration(numerator: 1, denominator: 10)
  private static let fifteenth = FrameDuration(numerator: 1001, denominator: 15000)

  private func set(
    _ device: CaptureDevice, shortest: FrameDuration?, longest: FrameDuration? = nil
  ) throws {
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    try device.setActiveVideoMinFrameDuration(shortest)
    if let longest { try device.setActiveVideoMaxFrameDuration(longest) }
  }

  private func code(_ body: () throws -> Void) -> CaptureError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? CaptureError)?.code
    }
  }

  @Test func isListedExactly() async throws {
    let format = try #require(try await KernelStudio(FakeKernel(.raw)).device.formats.first)

    #expect(
      format.videoSupportedFrameRateRanges.map(\.description) == ["30 fps", "14.99 fps", "7.5 fps"])
    #expect(format.videoSupportedFrameRateRanges[1].minFrameDuration == Self.fifteenth)
    #expect(format.minFrameDuration == .thirtieth)
    #expect(format.maxFrameDuration == FrameDuration(numerator: 2, denominator: 15))
  }

  @Test func needsTheLock() async throws {
    let device = try await KernelStudio(FakeKernel(.raw)).device

    device.activeVideoMinFrameDuration = .thirtieth

    #expect(device.lastError?.code == .notLocked)
    #expect(device.activeVideoMinFrameDuration == nil)
  }

  @Test func isKeptByTheStream() async throws {
    let studio = try await KernelStudio(FakeKernel(.raw))
    // Between two of the list: the next longer one.
    try set(studio.device, shortest: FrameDuration(numerator: 1, denominator: 20))

    try await studio.session.start()

    #expect(studio.photos.connections.first?.format?.frameDuration == Self.fifteenth)
    await studio.session.stop()
  }

  @Test func publishesWhatTheDriverHasMadeOfIt() async throws {
    let kernel = FakeKernel(.raw)
    let studio = try await KernelStudio(kernel)
    _ = studio.device.formats
    kernel.change { device in
      device.formats[0].intervals = .discrete(
        [FrameInterval(numerator: 1, denominator: 10)].compactMap(\.self))
    }

    try await studio.session.start()

    #expect(studio.photos.connections.first?.format?.frameDuration == Self.tenth)
    await studio.session.stop()
  }

  @Test func changesWhileTheSessionRuns() async throws {
    let kernel = FakeKernel(.raw)
    let studio = try await KernelStudio(kernel)
    try await studio.session.start()
    #expect(studio.photos.connections.first?.format?.frameDuration == .thirtieth)

    studio.session.beginConfiguration()
    try set(studio.device, shortest: Self.fifteenth)
    #expect(studio.photos.connections.first?.format?.frameDuration == .thirtieth)
    studio.session.commitConfiguration()

    #expect(studio.photos.connections.first?.format?.frameDuration == Self.fifteenth)
    _ = try await studio.photos.capturePhoto(with: CapturePhotoSettings())
    try set(studio.device, shortest: nil)
    try studio.session.configure {}
    #expect(studio.photos.connections.first?.format?.frameDuration == .thirtieth)
    await studio.session.stop()
    #expect(kernel.violations.isEmpty)
  }

  @Test func isRefusedOutsideOfWhatTheFormatHas() async throws {
    let device = try await KernelStudio(FakeKernel(.raw)).device
    let second = FrameDuration(numerator: 1, denominator: 1)
    let hundredth = FrameDuration(numerator: 1, denominator: 100)

    #expect(code { try set(device, shortest: second) } == .unsupportedFormat)
    #expect(code { try set(device, shortest: nil, longest: hundredth) } == .unsupportedFormat)
    #expect(device.activeVideoMinFrameDuration == nil)
    #expect(device.activeVideoMaxFrameDuration == nil)
  }

  @Test func letsTheOtherEndGiveWay() async throws {
    let device = try await KernelStudio(FakeKernel(.raw)).device
    try set(device, shortest: .thirtieth, longest: .thirtieth)

    try set(device, shortest: Self.fifteenth)
    #expect(device.activeVideoMaxFrameDuration == Self.fifteenth)
    try set(device, shortest: Self.fifteenth, longest: .thirtieth)
    #expect(device.activeVideoMinFrameDuration == .thirtieth)
  }

  @Test func isForgottenWithAnotherFormat() async throws {
    let device = try await KernelStudio(FakeKernel(.raw)).device
    try set(device, shortest: Self.fifteenth)
    try device.lockForConfiguration()
    try device.setActiveFormat(device.formats.first)
    device.unlockForConfiguration()

    #expect(device.activeVideoMinFrameDuration == .thirtieth)
  }

  @Test func isRefusedWhereTheDriverSetsNone() async throws {
    var silent = FakeDevice.raw
    silent.formats[0].intervals = .discrete([])
    silent.hasFrameIntervals = false
    let studio = try await KernelStudio(FakeKernel(silent))

    #expect(code { try set(studio.device, shortest: .thirtieth) } == .unsupportedFormat)
    #expect(try await studio.onePhoto().image.pixelWidth == 640)
  }
}
