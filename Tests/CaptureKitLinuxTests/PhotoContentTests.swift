import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

/// What is in the file of a photo.
@Suite(.timeLimit(.minutes(1)))
struct PhotoContentTests {
  static func photo(
    _ camera: MockCamera, _ settings: CapturePhotoSettings = CapturePhotoSettings(),
    _ configure: (CaptureConnection) -> Void = { _ in }
  ) async throws -> CapturePhoto {
    let studio = try await Studio(camera)
    configure(try #require(studio.photos.connection(with: .video)))
    try await studio.session.start()
    let photo = try await studio.photos.capturePhoto(with: settings)
    await studio.session.stop()
    return photo
  }

  static let formats: [PixelFormat] = [
    .yuyv, .uyvy, .nv12, .yuv420, .grey, .rgb24, .bgr24, .mjpeg,
  ]

  @Test(arguments: formats)
  func showsWhatTheCameraSaw(format: PixelFormat) async throws {
    let photo = try await Self.photo(
      MockCamera(frames: .testPattern(format, width: 320, height: 240)))

    let pixels = try photo.image.pixelBuffer()
    #expect(pixels.width == 320 && pixels.height == 240)
    #expect(TestPattern.frameNumber(in: pixels) != nil)
    #expect(!photo.isReencoded)
  }

  @Test func keepsTheCamerasOwnJPEG() async throws {
    let pattern = MockFrames.testPattern(.mjpeg, width: 320, height: 240)
    let photo = try await Self.photo(MockCamera(frames: pattern))

    let file = try #require(photo.fileDataRepresentation())
    let header = try JPEGHeader(parsing: file.bytes)
    #expect(header.hasHuffmanTables)
    #expect(header.orientation == .up)
  }

  @Test func encodesAnewWhereAQualityIsAsked() async throws {
    let camera = MockCamera(frames: .testPattern(.mjpeg, width: 320, height: 240))
    let photo = try await Self.photo(camera, CapturePhotoSettings(quality: 0.3))

    #expect(photo.isReencoded)
    #expect(TestPattern.frameNumber(in: try photo.image.pixelBuffer()) != nil)
  }

  @Test(arguments: [
    (CaptureVideoOrientation.portrait, false, 1), (.portraitUpsideDown, false, 3),
    (.landscapeRight, false, 6), (.landscapeLeft, false, 8), (.portrait, true, 2),
    (.landscapeRight, true, 5), (.portraitUpsideDown, true, 4), (.landscapeLeft, true, 7),
  ])
  func saysHowItIsToBeTurned(
    orientation: CaptureVideoOrientation, isMirrored: Bool, exif: Int
  ) async throws {
    let camera = MockCamera(
      position: .front, frames: .testPattern(.mjpeg, width: 320, height: 240))
    let photo = try await Self.photo(camera) { connection in
      connection.videoOrientation = orientation
      connection.isVideoMirrored = isMirrored
    }

    #expect(photo.metadata.orientation.rawValue == exif)
    #expect(try photo.image.orientation.rawValue == exif)
  }

  @Test func turnsThePixelsWhereAsked() async throws {
    let camera = MockCamera(
      position: .front, frames: .testPattern(.yuyv, width: 320, height: 240))
    let photo = try await Self.photo(camera, CapturePhotoSettings(rotation: .pixels)) {
      $0.videoOrientation = .landscapeRight
    }

    let image = try photo.image
    #expect(image.pixelWidth == 240 && image.pixelHeight == 320)
    #expect(image.orientation == .up)
    #expect(
      photo.resolvedSettings.photoDimensions == VideoDimensions(width: 240, height: 320))
  }

  @Test func saysWhenAndByWhatItWasTaken() async throws {
    let before = Date()
    let photo = try await Self.photo(
      MockCamera(name: "Booth", frames: .testPattern(.mjpeg, width: 320, height: 240)))

    let metadata = try photo.image.metadata
    let date = try #require(metadata.dateTaken)
    #expect(date > before.addingTimeInterval(-1) && date < Date().addingTimeInterval(1))
    #expect(metadata.model == "Booth")
  }

  @Test(arguments: ["selfie.jpg", "a selfie.jpg", "50%.jpg", "%41.jpg", "Grüße.jpg"])
  func writesTheFileWhole(name: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let photo = try await Self.photo(
      MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240)))

    let file = folder.appending(path: name)
    try photo.write(to: file)

    #expect(try Data(contentsOf: file) == photo.fileDataRepresentation())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  @Test func saysWhereItCouldNotBeWritten() async throws {
    let photo = try await Self.photo(
      MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240)))

    #expect {
      try photo.write(to: URL(filePath: "/nowhere/at/all/selfie.jpg"))
    } throws: { error in
      let error = error as? CaptureError
      return error?.code == .cannotWrite && "\(error.map { "\($0)" } ?? "")".contains("/nowhere")
    }
  }
}
