import Foundation
import Testing

@testable import Imaging

#if HEIF
  /// HEIC and AVIF with libheif.
  @Suite(.timeLimit(.minutes(2)))
  struct HEIFTests {
    @Test func isThere() {
      #expect(HEIFEncoder.isAvailable)
    }

    @Test(arguments: HEIFBytes.formats, ColorDescription.all)
    func keepsColoursOfEveryMatrixAndRange(
      _ format: ImageFormat, _ color: ColorDescription
    ) throws {
      for scene in [Scene.greyRamp(height: 64), .bars(height: 64)] {
        let image = try Image(HEIFBytes.encoded(scene, format, color))
        #expect(image.format == format)
        let shown = try image.pixelBuffer()
        let error = shown.meanError(inColumns: scene.columnsWithinBars) {
          scene.shown($0, $1, .yuv420, color)
        }
        #expect(error < 1.5, "\(scene.width): \(error)")
      }
    }

    @Test(arguments: HEIFBytes.formats, [(64, 64), (33, 17), (65, 130), (1, 1), (16, 200)])
    func keepsEverySize(_ format: ImageFormat, _ size: (Int, Int)) throws {
      let scene = Scene.gradient(width: size.0, height: size.1)
      let image = try Image(HEIFBytes.encoded(scene, format))
      #expect(image.pixelWidth == size.0 && image.pixelHeight == size.1)
      let shown = try image.pixelBuffer()
      #expect(shown.width == size.0 && shown.height == size.1)
      let error = shown.meanError { scene.shown($0, $1, .yuv420, .jpeg) }
      #expect(error < 3, "\(error)")
    }

    @Test(arguments: ImageOrientation.allCases)
    func turnsOnceForEachOrientation(_ orientation: ImageOrientation) throws {
      var metadata = ImageMetadata()
      metadata.orientation = orientation
      metadata.make = "Ours"
      let scene = Scene.gradient(width: 96, height: 64)
      let pixels = try scene.pixels(.bgra)
      let expected = try Image(pixels, orientation: orientation).orientedPixelBuffer()

      let image = try Image(HEIFEncoder(quality: 1).encode(pixels, metadata: metadata))

      #expect(image.orientation == .up && image.metadata.make == "Ours")
      #expect(image.size == PixelSize(width: 96, height: 64).shown(by: orientation))
      #expect(try image.pixelBuffer().meanError(to: expected) < 3)
      #expect(try image.orientedPixelBuffer().meanError(to: expected) < 3)
    }

    @Test func keepsMetadataAndProfile() throws {
      let profile = try #require(ColorProfile(primaries: 12, transfer: 13))
      var metadata = ImageMetadata()
      metadata.make = "Ours"
      metadata.model = "Camera"
      metadata.dateTaken = Date(timeIntervalSince1970: 1_700_000_000)
      metadata.timeZoneOffset = 3600
      let image = Image(
        try Scene.bars(height: 64).pixels(.bgra), metadata: metadata, colorProfile: profile)

      let again = try Image(try #require(image.heicData()))

      #expect(again.metadata == metadata)
      #expect(again.colorProfile == profile)
      #expect(try #require(again.jpegData(compressionQuality: 0.9)).imageMetadata == metadata)
    }

    @Test func spendsMoreBytesOnMoreQuality() throws {
      let scene = Scene.gradient(width: 256, height: 256)
      let sizes = try [0, 0.5, 0.85, 1].map {
        try HEIFBytes.encoded(scene, .heic, quality: $0).count
      }
      #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
    }

    @Test(.enabled(if: SharedPictures.areThere))
    func readsAPictureOfAnotherProgram() throws {
      let image = try Image(SharedPictures.data("other/sample.heif"))
      #expect(image.format == .heic)
      let pixels = try image.pixelBuffer()
      #expect(PixelSize(width: pixels.width, height: pixels.height) == image.size)
    }

    @Test(arguments: ImageOrientation.allCases)
    func isShownAlikeByImageMagick(_ orientation: ImageOrientation) throws {
      var metadata = ImageMetadata()
      metadata.orientation = orientation
      metadata.make = "Ours"
      let heic = try HEIFBytes.encoded(
        .gradient(width: 96, height: 64), .heic, .bt601Limited, metadata: metadata)
      try Programs.withFolder { folder in
        try heic.write(to: folder.appending(path: "ours.heic"))
        let said = try Programs.run(
          """
          convert ours.heic ours.ppm
          convert ours.ppm -quality 90 theirs.heic
          convert theirs.heic theirs.ppm
          exiftool -s3 -n -Make -Orientation ours.heic
          """, in: folder)
        #expect(said.split(separator: "\n").first == "Ours")
        for name in ["ours", "theirs"] {
          let shown = try Image(contentsOf: folder.appending(path: "\(name).heic")).pixelBuffer()
          let expected = try PixelBuffer(
            ppm: Data(contentsOf: folder.appending(path: "\(name).ppm")))
          #expect(shown.width == expected.width && shown.height == expected.height)
          #expect(shown.meanError(to: expected) < 1)
        }
      }
    }

    @Test func refusesToChangeWhatAFileSays() throws {
      var metadata = ImageMetadata()
      metadata.make = "Ours"
      let image = try Image(HEIFBytes.encoded(.bars(height: 64), .heic, metadata: metadata))
      let changes: [(Image) throws -> Image] = [
        { try $0.strippingLocation() }, { try $0.strippingAllMetadata() },
        { try $0.settingMetadata(ImageMetadata()) },
      ]
      for change in changes {
        let error = #expect(throws: ImagingError.self) { try change(image) }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("HEIFEncoder") == true)
      }
    }
  }
#endif
