import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

/// Photos with another codec than JPEG, and what is said where there is none.
@Suite(.timeLimit(.minutes(1)))
struct PhotoCodecTests {
  private static func settings(_ codec: VideoCodecType) -> CapturePhotoSettings {
    let settings = CapturePhotoSettings()
    settings.codec = codec
    return settings
  }

  @Test func areJPEGUntilSet() {
    #expect(CapturePhotoSettings().codec == .jpeg)
    #expect(CapturePhotoSettings(from: Self.settings(.hevc)).codec == .hevc)
    #expect(CapturePhotoOutput().availablePhotoCodecTypes.first == .jpeg)
  }

  @Test func refuseCodecsThatNobodyKnows() async throws {
    let studio = try await Studio()
    try await studio.session.start()
    let error = await #expect(throws: CaptureError.self) {
      try await studio.photos.capturePhoto(
        with: Self.settings(VideoCodecType(rawValue: "ap4h")))
    }
    #expect(error?.code == .unsupportedSettings)
    #expect(error?.description.contains("ap4h") == true)
    await studio.session.stop()
  }

  #if HEIF
    @Test(arguments: [PixelFormat.yuyv, .nv12, .grey, .rgb24, .mjpeg])
    func areHEICOfEveryFormat(_ format: PixelFormat) async throws {
      let photo = try await PhotoContentTests.photo(
        MockCamera(frames: .testPattern(format, width: 320, height: 240)), Self.settings(.hevc))

      let image = try photo.image
      #expect(image.format == .heic && image.orientation == .up)
      #expect(image.metadata.make == photo.metadata.make && image.metadata.dateTaken != nil)
      #expect(image.pixelWidth == 320 && image.pixelHeight == 240)
      #expect(TestPattern.frameNumber(in: try image.pixelBuffer()) != nil)
      #expect(photo.isReencoded == (format == .mjpeg))
      #expect(CapturePhotoOutput().availablePhotoCodecTypes == [.jpeg, .hevc])
    }

    @Test(arguments: [CapturePhotoSettings.Rotation.exif, .pixels, .pixelsLosslessly])
    func showUprightByFileOrPixels(_ rotation: CapturePhotoSettings.Rotation) async throws {
      let settings = Self.settings(.hevc)
      settings.rotation = rotation
      settings.previewDimensions = VideoDimensions(width: 60, height: 80)
      let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
      let photo = try await PhotoContentTests.photo(camera, settings) {
        $0.videoOrientation = .landscapeRight
      }

      let image = try photo.image
      #expect(image.orientation == .up && photo.metadata.orientation == .up)
      #expect(image.size == PixelSize(width: 240, height: 320))
      #expect(photo.resolvedSettings.photoDimensions == VideoDimensions(width: 240, height: 320))
      #expect(photo.rotation == (rotation == .exif ? .exif : .lossless))
      let preview = try #require(photo.previewPixelBuffer)
      #expect(preview.width == 60 && preview.height == 80)
    }
  #else
    @Test func areNotHEICWithoutTheTrait() async throws {
      let studio = try await Studio()
      try await studio.session.start()
      #expect(studio.photos.availablePhotoCodecTypes == [.jpeg])
      let error = await #expect(throws: CaptureError.self) {
        try await studio.photos.capturePhoto(with: Self.settings(.hevc))
      }
      #expect(error?.code == .unsupportedSettings)
      #expect(error?.description.contains("trait HEIF") == true)
      await studio.session.stop()
    }
  #endif
}
