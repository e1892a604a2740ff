import CaptureKitLinux
import Imaging
import LinuxSystem
import Testing

@testable import Video4Linux

/// Cameras that offer nothing that can be read as it is.
@Suite(.timeLimit(.minutes(1)))
struct ConvertedFormatTests {
  private static let colour: [UInt8] = [200, 120, 40]

  private static func device(
    _ fourcc: String, bits: UInt32 = 8, isCompressed: Bool = false, picture: [UInt8]?
  ) -> FakeDevice {
    var device = FakeDevice()
    device.formats = [
      FakeDevice.Format(
        fourcc: FourCC(fourcc), isCompressed: isCompressed,
        sizes: .discrete([FrameSize(width: 64, height: 48)]), intervals: .usual, planes: [bits])
    ]
    device.picture = picture
    return device
  }

  private static var sensor: FakeDevice {
    let picture = Mosaic(colour: { _, _ in colour }, width: 64, height: 48)
    return device("GRBG", picture: picture.frame("GRBG", .bytes))
  }

  @Test func takesAPhotoOfABareSensor() async throws {
    let kernel = FakeKernel(Self.sensor)
    let studio = try await KernelStudio(kernel)
    #expect(
      studio.device.formats.map(\.description)
        == ["GRBG 64x48 30 fps, converted by libv4lconvert"])
    #expect(studio.session.canSetSessionPreset(.photo))

    let photo = try await studio.onePhoto()

    let pixels = try photo.image.pixelBuffer()
    let bytes = pixels.bytes(ofPlane: 0)
    let at = 20 * pixels.layout.planes[0].bytesPerRow + 30 * 4
    for (channel, expected) in Self.colour.reversed().enumerated() {
      let sample = bytes.unsafeLoad(fromByteOffset: at + channel, as: UInt8.self)
      #expect(abs(Int(sample) - Int(expected)) <= 3)
    }
    #expect(studio.session.statistics.converted >= 1)
    #expect(studio.session.statistics.conversionFailures == 0)
    await expectNothingLeftSoon(of: kernel)
  }

  @Test func takesAPhotoOfACameraWithTwelveBitsOfGrey() async throws {
    let rows = [[UInt8]](repeating: [UInt8](repeating: 77, count: 64), count: 48)
    let picture = Mosaic.frame(rows, .words(bits: 12))
    let studio = try await KernelStudio(
      FakeKernel(Self.device("Y12 ", bits: 16, picture: picture)))
    #expect(studio.device.formats.map(\.conversion) == [.upperEightBits])

    let photo = try await studio.onePhoto()

    let pixels = try photo.image.pixelBuffer()
    let sample = pixels.bytes(ofPlane: 0).unsafeLoad(fromByteOffset: 4 * 1000, as: UInt8.self)
    #expect(abs(Int(sample) - 77) <= 1)
  }

  @Test func triesAnotherFrameWhereOneCannotBeConverted() async throws {
    let good = (0..<48).flatMap { _ in [0x0F, 0xF0] + [UInt8](repeating: 90, count: 64) }
    let kernel = FakeKernel(
      Self.device("P207", isCompressed: true, picture: [UInt8](repeating: 0x55, count: 6144)))
    let studio = try await KernelStudio(kernel)
    try await studio.session.start()

    async let photo = studio.photos.capturePhoto(with: CapturePhotoSettings())
    while studio.session.statistics.conversionFailures < 2 { await Task.yield() }
    kernel.change { $0.picture = good }

    #expect(try await photo.image.pixelWidth == 64)
    #expect(studio.session.statistics.converted >= 1)
    await studio.session.stop()
  }

  @Test func leavesFramesAloneThatNobodyLooksAt() async throws {
    let studio = try await KernelStudio(FakeKernel(Self.sensor))
    try await studio.session.start()

    while studio.session.statistics.delivered < 20 { await Task.yield() }

    #expect(studio.session.statistics.converted == 0)
    #expect(studio.photos.connections.first?.format?.pixelFormat.description == "GRBG")
    await studio.session.stop()
  }

  @Test func listsWhatNobodyReadsAndChoosesItOnlyWhenTold() async throws {
    let studio = try await KernelStudio(
      FakeKernel(Self.device("H264", isCompressed: true, picture: nil)))
    let format = try #require(studio.device.formats.first)
    #expect(!format.isReadable && format.conversion == nil)
    #expect(!studio.session.canSetSessionPreset(.high))
    await #expect { try await studio.session.start() } throws: {
      ($0 as? CaptureError)?.code == .unsupportedFormat
    }

    try studio.device.lockForConfiguration()
    try studio.device.setActiveFormat(format)
    studio.device.unlockForConfiguration()
    try await studio.session.start()

    #expect(studio.photos.connections.first?.format?.pixelFormat == format.pixelFormat)
    await studio.session.stop()
  }

  @Test(arguments: [Errno.inputOutput, .brokenPipe, .notSupported])
  func goesOnWhereListsFail(errno: Errno) async throws {
    for call in [FakeCall.enumerateFrameSizes, .enumerateFrameIntervals] {
      let kernel = FakeKernel(.raw, faults: [.every(call, errno)])
      let studio = try await KernelStudio(kernel)

      // Without a list there is the size that the driver is set to, and no rate is known.
      #expect(studio.device.formats.first?.minimumDimensions.width == 640)
      #expect(call == .enumerateFrameSizes || studio.device.formats.first?.frameDurations == [])
      #expect(try await studio.onePhoto().image.pixelWidth == 640)
    }
  }

  @Test func asksNoMoreThanThereIs() async throws {
    let kernel = FakeKernel()
    let studio = try await KernelStudio(kernel)
    let before = kernel.callCount

    _ = studio.device.formats
    let first = kernel.callCount - before
    _ = studio.device.formats

    // Open, capability, close; then each list with its end: 2 formats of 2 sizes of 3 intervals.
    #expect(first == 3 + 3 + 2 * 3 + 4 * 4)
    #expect(kernel.callCount - before == first)
  }
}
