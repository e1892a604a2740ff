import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import TestSupport
import Testing

/// What goes with a photo: thumbnail, preview, samples, metadata of the user's choice.
@Suite(.timeLimit(.minutes(1)))
struct PhotoCompanionsTests {
  static func photo(
    _ format: PixelFormat = .mjpeg,
    size: VideoDimensions = VideoDimensions(width: 640, height: 480),
    orientation: CaptureVideoOrientation = .portrait,
    _ configure: (CapturePhotoSettings) -> Void
  ) async throws -> CapturePhoto {
    let settings = CapturePhotoSettings()
    configure(settings)
    return try await PhotoContentTests.photo(
      MockCamera(
        name: "Booth", position: .front,
        frames: .testPattern(format, width: size.width, height: size.height)), settings
    ) { $0.videoOrientation = orientation }
  }

  static func box(_ width: Int, _ height: Int) -> VideoDimensions {
    VideoDimensions(width: width, height: height)
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func embedsAThumbnail(format: PixelFormat) async throws {
    let photo = try await Self.photo(format) {
      $0.embeddedThumbnailDimensions = Self.box(160, 160)
    }

    let thumbnail = try Image(#require(photo.embeddedThumbnail))
    #expect(thumbnail.pixelWidth == 160 && thumbnail.pixelHeight == 120)
    #expect(photo.resolvedSettings.embeddedThumbnailDimensions == Self.box(160, 120))
    #expect(!photo.isReencoded && photo.metadata.model == "Booth")
    let file = try #require(photo.fileDataRepresentation())
    #expect(try TestPattern.frameNumber(in: Image(file).pixelBuffer()) != nil)
  }

  @Test(arguments: [
    (CapturePhotoSettings.Rotation.exif, 160, 120), (.pixels, 120, 160),
  ])
  func storesTheThumbnailAsThePhoto(
    rotation: CapturePhotoSettings.Rotation, width: Int, height: Int
  ) async throws {
    let photo = try await Self.photo(orientation: .landscapeRight) {
      $0.rotation = rotation
      $0.embeddedThumbnailDimensions = Self.box(160, 160)
    }

    let thumbnail = try Image(#require(photo.embeddedThumbnail))
    #expect(thumbnail.pixelWidth == width && thumbnail.pixelHeight == height)
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func bringsAnUprightPreview(format: PixelFormat) async throws {
    let photo = try await Self.photo(format, orientation: .landscapeRight) {
      $0.previewDimensions = Self.box(240, 320)
    }

    let preview = try #require(photo.previewPixelBuffer)
    #expect(preview.format == .bgra32)
    #expect(preview.width == 240 && preview.height == 320)
    #expect(photo.resolvedSettings.previewDimensions == Self.box(240, 320))
  }

  @Test func bringsTheCamerasSamples() async throws {
    let photo = try await Self.photo(.yuyv) { $0.isPixelBufferDeliveryEnabled = true }

    let samples = try #require(photo.pixelBuffer)
    #expect(samples.format == .yuyv && samples.width == 640)
    let pixels = try samples.converted(to: .bgra32)
    #expect(try TestPattern.frameNumber(in: pixels) == PhotoFreshnessTests.frameNumber(in: photo))
  }

  @Test func bringsNothingThatWasNotAskedFor() async throws {
    let photo = try await Self.photo(.yuyv) { _ in }

    #expect(photo.embeddedThumbnail == nil && photo.previewPixelBuffer == nil)
    #expect(photo.pixelBuffer == nil)
    #expect(photo.photoCount == 1 && !photo.precedesRequest && photo.rotation == .none)
  }

  // MARK: Customized files

  struct Customizer: CapturePhotoFileDataRepresentationCustomizer {
    var metadata: @Sendable (CapturePhoto) -> ImageMetadata? = { $0.metadata }
    var thumbnail = JPEGPassthrough.ThumbnailChange.keeping

    func replacementMetadata(for photo: CapturePhoto) -> ImageMetadata? { metadata(photo) }
    func replacementEmbeddedThumbnail(
      for photo: CapturePhoto
    ) -> JPEGPassthrough.ThumbnailChange { thumbnail }
  }

  @Test func stripsWhatTheFileSays() async throws {
    let photo = try await Self.photo { $0.embeddedThumbnailDimensions = Self.box(160, 120) }

    let file = try #require(
      photo.fileDataRepresentation(with: Customizer(metadata: { _ in nil }, thumbnail: .removing)))

    #expect(try Image(file).metadata == ImageMetadata())
    #expect(Self.thumbnail(of: file) == nil)
    #expect(try Self.scan(of: file) == Self.scan(of: #require(photo.fileDataRepresentation())))
  }

  @Test func keepsTheOrientationOfAStrippedFile() async throws {
    let photo = try await Self.photo(orientation: .landscapeRight) { _ in }

    let file = try #require(
      photo.fileDataRepresentation(with: Customizer(metadata: { _ in nil })))

    let metadata = try Image(file).metadata
    #expect(metadata.orientation == .right)
    #expect(metadata.make == nil && metadata.model == nil && metadata.dateTaken == nil)
  }

  @Test func replacesWhatTheFileSays() async throws {
    let photo = try await Self.photo { $0.embeddedThumbnailDimensions = Self.box(160, 120) }

    let file = try #require(
      photo.fileDataRepresentation(
        with: Customizer(metadata: {
          var metadata = $0.metadata
          metadata.model = nil
          metadata.imageDescription = "Seen through a window"
          return metadata
        })))

    let metadata = try Image(file).metadata
    #expect(metadata.imageDescription == "Seen through a window")
    #expect(metadata.model == nil && metadata.dateTaken != nil)
    #expect(Self.thumbnail(of: file) == photo.embeddedThumbnail)
  }

  @Test func replacesTheThumbnail() async throws {
    let photo = try await Self.photo { _ in }
    let small = try #require(
      TestPattern(width: 64, height: 48).pixelBuffer(frame: 1, format: .bgra32, color: .jpeg))

    let file = try #require(
      photo.fileDataRepresentation(with: Customizer(thumbnail: .replacing(small))))

    let thumbnail = try Image(#require(Self.thumbnail(of: file)))
    #expect(thumbnail.pixelWidth == 64 && thumbnail.pixelHeight == 48)
    #expect(try Image(file).metadata == photo.image.metadata)
  }

  @Test func givesTheSameFileToACustomizerThatChangesNothing() async throws {
    let photo = try await Self.photo { _ in }

    let file = try #require(photo.fileDataRepresentation(with: Customizer()))

    #expect(try Image(file).metadata == photo.image.metadata)
    #expect(try Self.scan(of: file) == Self.scan(of: #require(photo.fileDataRepresentation())))
  }

  @Test func writesWhatACustomizerMakesOfIt() async throws {
    let photo = try await Self.photo { _ in }
    let customizer = Customizer(metadata: { _ in nil })
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "nobody.jpg")

    try photo.write(to: file, with: customizer)

    #expect(try Data(contentsOf: file) == photo.fileDataRepresentation(with: customizer))
    #expect(try Image(Data(contentsOf: file)).metadata.model == nil)
    let error = #expect(throws: CaptureError.self) {
      try photo.write(to: folder.url.appending(path: "no/where.jpg"), with: customizer)
    }
    #expect(error?.code == .cannotWrite)
  }

  static func thumbnail(of file: Data) -> Data? { JPEGThumbnail.embedded(in: file.bytes) }

  static func scan(of jpeg: Data) throws -> Data {
    let marker = Data([0xFF, 0xDA])
    let start = try #require(jpeg.range(of: marker, options: .backwards)).lowerBound
    return Data(jpeg[start...])
  }

  // MARK: Turned pixels

  @Test(arguments: [
    (CapturePhotoSettings.Rotation.pixels, CapturePhoto.Rotation.reencoded, 246, 320),
    (.pixelsTrimmed, .trimmed, 240, 320), (.exif, .exif, 320, 246),
  ])
  func saysHowItWasTurned(
    rotation: CapturePhotoSettings.Rotation, outcome: CapturePhoto.Rotation, width: Int, height: Int
  ) async throws {
    let photo = try await Self.photo(size: Self.box(320, 246), orientation: .landscapeRight) {
      $0.rotation = rotation
    }

    #expect(photo.rotation == outcome)
    #expect(photo.resolvedSettings.photoDimensions == Self.box(width, height))
    let image = try photo.image
    #expect(image.pixelWidth == width && image.pixelHeight == height)
    #expect(photo.isReencoded == (outcome == .reencoded))
  }

  @Test func saysThatAPictureCannotBeTurnedWithoutLoss() async throws {
    await #expect {
      try await Self.photo(size: Self.box(320, 246), orientation: .landscapeRight) {
        $0.rotation = .pixelsLosslessly
      }
    } throws: {
      ($0 as? CaptureError)?.code == .cannotRotate
    }
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func turnsWholeBlocksWithoutLoss(format: PixelFormat) async throws {
    let photo = try await Self.photo(format, orientation: .landscapeRight) {
      $0.rotation = .pixelsLosslessly
    }

    #expect(photo.rotation == .lossless && !photo.isReencoded)
    #expect(try photo.image.pixelWidth == 480)
  }

  @Test func turnsSamplesOfAnySizeBeforeTheyAreEncoded() async throws {
    let photo = try await Self.photo(
      .yuyv, size: Self.box(330, 242), orientation: .landscapeRight
    ) { $0.rotation = .pixelsLosslessly }

    #expect(photo.rotation == .lossless && !photo.isReencoded)
    #expect(photo.resolvedSettings.photoDimensions == Self.box(242, 330))
  }

  @Test func tellsTheSizeOfAJPEGThatIsNotTheOneAgreedOn() async throws {
    let pattern = try #require(
      TestPattern(width: 352, height: 288).pixelBuffer(frame: 3, format: .yuyv))
    let other = try JPEGEncoder().encode(pattern)
    let format = CaptureDevice.Format(.mjpeg, dimensions: Self.box(320, 240))
    let camera = MockCamera(
      frames: .generated([format]) { request in
        CapturedFrame(
          jpeg: other, dimensions: Self.box(320, 240), sequence: request.sequence,
          timestamp: request.timestamp)
      })

    let photo = try await PhotoContentTests.photo(camera)

    #expect(photo.resolvedSettings.photoDimensions == Self.box(352, 288))
  }
}
