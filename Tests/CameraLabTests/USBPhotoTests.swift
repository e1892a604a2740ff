import CaptureKitLinux
import Foundation
import Imaging
import Testing

/// Photos of the virtual USB camera.
@Suite(.inLab(.usb), .timeLimit(.minutes(1)))
struct USBPhotoTests {
  @Test(arguments: [
    (PixelFormat.mjpeg, 320, 240), (.mjpeg, 1280, 720), (.yuyv, 320, 240), (.yuyv, 640, 480),
  ])
  func haveTheSizeThatWasAskedFor(format: PixelFormat, width: Int, height: Int) async throws {
    let size = VideoDimensions(width: width, height: height)
    let studio = try LabStudio(format, size)
    let before = Date.now.addingTimeInterval(-2)

    let photo = try await studio.onePhoto()

    let image = try photo.image
    #expect(photo.resolvedSettings.photoDimensions == size)
    #expect(image.size == PixelSize(width: width, height: height))
    #expect(try FrameNumber.read(photo) != nil)
    #expect(!photo.isReencoded)
    #expect(image.orientation == .up)
    #expect(image.metadata.make == "Camera Lab")
    let date = try #require(image.metadata.dateTaken)
    #expect(date >= before && date <= Date.now)
  }

  @Test func keepTheCamerasScanByteForByte() async throws {
    let studio = try LabStudio(.mjpeg)
    let photo = try await studio.onePhoto()

    let file = try #require(photo.fileDataRepresentation())
    let frame = try #require(studio.tap.frame(of: photo)).bytes
    #expect(!photo.isReencoded)
    #expect(try Self.scan(of: file) == Self.scan(of: frame))
  }

  @Test func areEncodedAnewOnlyWhereAQualityIsAsked() async throws {
    let studio = try LabStudio(.mjpeg)
    try await studio.session.start()

    let settings = CapturePhotoSettings(quality: 0.3, timeout: LabStudio.patience)
    let photo = try await studio.photos.capturePhoto(with: settings)

    await studio.session.stop()
    #expect(photo.isReencoded)
    #expect(try FrameNumber.read(photo) != nil)
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func areNewerThanTheirRequest(format: PixelFormat) async throws {
    let studio = try LabStudio(format)
    try await studio.session.start()
    for _ in 1...4 {
      // More than the driver has buffers, so that a queue of old frames would show.
      await studio.tap.frames(6)
      let newest = try FrameNumber.read(try #require(studio.tap.newest))
      let seen = try #require(newest)

      let requestedAt = HostTime.now
      let photo = try await studio.photo()

      let number = try #require(try FrameNumber.read(photo))
      #expect(number > seen)
      #expect(try #require(photo.timestamp).time > requestedAt)
    }
    await studio.session.stop()
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func passOverFramesThatWaitInTheDriversQueue(format: PixelFormat) async throws {
    let studio = try LabStudio(format)
    let gate = LabGate()
    try studio.session.add(gate)
    try await studio.session.start()
    await studio.tap.frames(2)
    await gate.close()
    let newest = try FrameNumber.read(try #require(studio.tap.newest))
    let seen = try #require(newest)
    // Time for the camera to fill all of the driver's buffers.
    try await Task.sleep(for: .seconds(1))

    let (results, result) = AsyncStream<Result<CapturePhoto, any Error>>.makeStream()
    let requestedAt = HostTime.now
    let settings = CapturePhotoSettings(timeout: LabStudio.patience)
    studio.photos.capturePhoto(with: settings) { result.yield($0) }
    gate.open()

    let photo = try #require(await results.first { _ in true }).get()
    await studio.session.stop()
    #expect(try #require(photo.timestamp).time > requestedAt)
    #expect(try #require(try FrameNumber.read(photo)) > seen + 3)
  }

  /// From the start of the scan to the end of the picture.
  static func scan(of jpeg: Data) throws -> Data {
    let end = try #require(try JPEGHeader(parsing: jpeg.bytes).endOffset)
    let start = try #require(jpeg.range(of: Data([0xFF, 0xDA]))).lowerBound
    return Data(jpeg[start..<end])
  }
}
