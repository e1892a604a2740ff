import CaptureKitLinux
import Imaging
import Testing

/// Photos of vivid's sensor mosaics, which libv4lconvert develops.
@Suite(.inLab(.single), .timeLimit(.minutes(1)))
struct MosaicLabTests {
  static let formats: [PixelFormat] = ["BA81", "GBRG", "GRBG", "RGGB", "RG10", "BG12", "RG16"]
    .compactMap(PixelFormat.init(fourCharacterCode:))

  @Test(arguments: formats)
  func showTheStandardsColours(format: PixelFormat) async throws {
    let studio = try LabStudio(format, LabStudio.wideSize)
    let offered = try studio.device.loadFormats().first { $0.pixelFormat == format }
    #expect(offered?.conversion == .libv4lconvert)

    let pixels = try await studio.onePhoto().image.pixelBuffer()

    for (index, bar) in VividPhotoTests.bars.enumerated() {
      for (x, y) in [(40, 340), (30, 250), (50, 300)] {
        let colour = Colour(of: pixels, x: index * 80 + x, y: y)
        #expect(colour.distance(to: bar) <= 5, "bar \(index): \(colour) for \(bar)")
      }
    }
    #expect(studio.session.statistics.converted >= 1)
  }

  @Test func areListedAsConverted() throws {
    let device = try #require(CaptureDevice.default(for: .video))

    let formats = try device.loadFormats()

    for format in Self.formats {
      let conversions = Set(formats.filter { $0.pixelFormat == format }.map(\.conversion))
      #expect(conversions == [.libv4lconvert], "\(format)")
    }
    #expect(formats.contains { $0.pixelFormat == .yuyv && $0.conversion == nil })
  }
}
