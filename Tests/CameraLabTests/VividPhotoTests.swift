import CaptureKitLinux
import Foundation
import Imaging
import Testing

/// Photos of vivid's test pattern: 75 % colour bars, with a text in the upper left.
@Suite(.inLab(.single, .multiplanar), .timeLimit(.minutes(1)))
struct VividPhotoTests {
  static let formats: [PixelFormat] =
    [.yuyv, .uyvy, .nv12, .yuv420, .grey, .rgb24, .bgr24]
    + (LabConstellation.current == .multiplanar ? [.nv12Multiplanar, .yuv420Multiplanar] : [])

  /// White, yellow, cyan, green, magenta, red, blue, black.
  static let bars: [Colour] = [
    Colour(191, 191, 191), Colour(191, 191, 0), Colour(0, 191, 191), Colour(0, 191, 0),
    Colour(191, 0, 191), Colour(191, 0, 0), Colour(0, 0, 191), Colour(0, 0, 0),
  ]

  /// vivid makes its grey pictures with Rec. 709's weights.
  static let greyBars: [Colour] = bars.map { bar in
    let luma =
      0.2126 * Double(bar.red) + 0.7152 * Double(bar.green) + 0.0722 * Double(bar.blue)
    let grey = UInt8(luma.rounded())
    return Colour(grey, grey, grey)
  }

  @Test(arguments: formats)
  func showTheStandardsColours(format: PixelFormat) async throws {
    let photo = try await LabStudio(format, LabStudio.wideSize).onePhoto()
    let image = try photo.image

    let pixels = try image.pixelBuffer()
    #expect(pixels.width == 640 && pixels.height == 360)
    for (index, bar) in (format == .grey ? Self.greyBars : Self.bars).enumerated() {
      for (x, y) in [(40, 340), (30, 250), (50, 300)] {
        let colour = Colour(of: pixels, x: index * 80 + x, y: y)
        #expect(colour.distance(to: bar) <= 4, "bar \(index): \(colour) for \(bar)")
      }
    }
    #expect(!photo.isReencoded)
    #expect(image.orientation == .up)
    #expect(image.metadata.model == "vivid")
  }

  @Test func areLargerThanTheStreamWhereThatIsAllowed() async throws {
    let large = VideoDimensions(width: 1280, height: 720)
    let studio = try LabStudio(.yuyv, LabStudio.wideSize)
    studio.photos.maxPhotoDimensions = large
    try await studio.session.start()
    await studio.tap.frames(1)
    let settings = CapturePhotoSettings(timeout: LabStudio.patience)
    settings.maxPhotoDimensions = large

    let photo = try await studio.photos.capturePhoto(with: settings)
    await studio.tap.frames(2)
    let usual = try await studio.photo()

    await studio.session.stop()
    #expect(photo.resolvedSettings.photoDimensions == large)
    #expect(usual.resolvedSettings.photoDimensions == LabStudio.wideSize)
  }

  @Test func sayWhenTheyWereTakenAndHowToTurnThem() async throws {
    let studio = try LabStudio(.yuyv, LabStudio.wideSize)
    studio.photos.connection(with: .video)?.videoOrientation = .landscapeRight
    let before = Date.now.addingTimeInterval(-1)

    let image = try await studio.onePhoto().image

    let date = try #require(image.metadata.dateTaken)
    #expect(date >= before.addingTimeInterval(-1) && date <= Date.now)
    #expect(image.orientation == .right)
    #expect(image.size == PixelSize(width: 360, height: 640))
  }
}
