import Foundation
import Testing

@testable import Imaging

#if HEIF
  /// HEIC and AVIF with libheif.
  @Suite(.timeLimit(.minutes(2)))
  struct HEIFTests {
    private static let formats: [ImageFormat] = [.heic, .avif].filter {
      LibHEIFEncodingBridge.hasEncoder(for: $0)
    }

    private static func encoded(
      _ scene: Scene, _ format: ImageFormat, _ color: ColorDescription = .jpeg,
      quality: Double = 1, metadata: ImageMetadata = ImageMetadata()
    ) throws -> Data {
      try HEIFEncoder(quality: quality).encode(
        scene.pixels(.yuv420, color, gap: 4), as: format, metadata)
    }

    private static func codedSize(of data: Data) -> PixelSize? {
      HEIFCodedSizes.largest(in: data.bytes)
    }

    @Test func isThere() {
      #expect(HEIFEncoder.isAvailable)
    }

    @Test(arguments: formats, ColorDescription.all)
    func keepsColoursOfEveryMatrixAndRange(
      _ format: ImageFormat, _ color: ColorDescription
    ) throws {
      for scene in [Scene.greyRamp(height: 64), .bars(height: 64)] {
        let image = try Image(Self.encoded(scene, format, color))
        #expect(image.format == format)
        let shown = try image.pixelBuffer()
        let error = shown.meanError(inColumns: scene.columnsWithinBars) {
          scene.shown($0, $1, .yuv420, color)
        }
        #expect(error < 1.5, "\(scene.width): \(error)")
      }
    }

    @Test(arguments: formats, [(64, 64), (33, 17), (65, 130), (1, 1), (16, 200)])
    func keepsEverySize(_ format: ImageFormat, _ size: (Int, Int)) throws {
      let scene = Scene.gradient(width: size.0, height: size.1)
      let image = try Image(Self.encoded(scene, format))
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
      let sizes = try [0, 0.5, 0.85, 1].map { try Self.encoded(scene, .heic, quality: $0).count }
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
      let heic = try Self.encoded(
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

    // MARK: Bytes that are no picture

    @Test(arguments: formats) func refusesWhatIsCutOffAnywhere(_ format: ImageFormat) throws {
      let whole = try Self.encoded(.gradient(width: 128, height: 128), format)
      for count in stride(from: 12, to: whole.count, by: max(1, whole.count / 60)) {
        let error = #expect(throws: ImagingError.self) {
          try Image(whole.prefix(count)).pixelBuffer()
        }
        #expect(error.map { [.corrupt, .incomplete, .unsupported].contains($0.code) } == true)
      }
    }

    @Test(arguments: formats) func survivesEveryChangedByte(_ format: ImageFormat) throws {
      let whole = try Self.encoded(.gradient(width: 64, height: 64), format)
      let limits = Image.Limits(pixelCount: 1 << 20, memoryByteCount: 64 << 20)
      for place in stride(from: 0, to: whole.count, by: 3) {
        var changed = whole
        changed[place] ^= 0xFF
        // An error or another picture; only not the end of the program.
        _ = try? Image(changed, limits: limits).pixelBuffer()
      }
    }

    @Test func refusesMorePixelsThanAreAllowed() throws {
      let data = try Self.encoded(.gradient(width: 128, height: 64), .heic)
      let many = #expect(throws: ImagingError.self) {
        try Image(data, limits: .init(pixelCount: 128 * 64 - 1))
      }
      #expect(many?.code == .tooLarge)
      let image = try Image(data, limits: .init(memoryByteCount: 128 * 64 * 8))
      let heavy = #expect(throws: ImagingError.self) { try image.pixelBuffer() }
      #expect(heavy?.code == .tooLarge)
    }

    @Test(arguments: formats, [(128, 64), (300, 1000), (2048, 512)])
    func knowsHowLargeTheCodedPictureIs(_ format: ImageFormat, _ size: (Int, Int)) throws {
      let grey = Scene(width: size.0, height: size.1) { _, _ in .init(red: 9, green: 9, blue: 9) }
      let data = try Self.encoded(grey, format, quality: 0.3)
      let coded = try #require(Self.codedSize(of: data))
      #expect((size.0...size.0 + 64).contains(coded.width), "\(coded)")
      #expect((size.1...size.1 + 64).contains(coded.height), "\(coded)")
    }

    @Test(arguments: formats) func takesNoMemoryForPixelsThatTheFileHides(_ format: ImageFormat)
      throws
    {
      let grey = Scene(width: 1024, height: 1024) { _, _ in .init(red: 9, green: 9, blue: 9) }
      var data = try Self.encoded(grey, format, quality: 0.3)
      let place = try #require(data.range(of: Data("ispe".utf8))).upperBound + 4
      data.replaceSubrange(place..<place + 8, with: [0, 0, 0, 64, 0, 0, 0, 64])
      let image = try Image(data, limits: .init(pixelCount: 1024 * 1024 - 1))
      #expect(image.pixelWidth == 64)
      let error = #expect(throws: ImagingError.self) { try image.pixelBuffer() }
      #expect(error?.code == .tooLarge)
    }

    /// A thousand boxes, each of which goes over the same 20 000 descriptions of pictures.
    @Test func looksAtAFilesPicturesOnce() throws {
      let (boxes, length) = (1000, 32)
      var data = Data()
      for index in 0..<boxes {
        // One array of 65 535 units; the first one ends behind the boxes.
        let rest = (boxes - index - 1) * length
        data += Data("hvcC".utf8) + Data(count: 22) + [1, 33, 0xFF, 0xFF]
        data += [UInt8(rest >> 8), UInt8(rest & 255)]
      }
      let unit = Data([0, 100, 0x42, 1]) + Data(repeating: 0x55, count: 98)
      for _ in 0..<20_000 { data += unit }

      let time = ContinuousClock().measure { _ = Self.codedSize(of: data) }

      #expect(time < .seconds(10))
    }

    @Test func refusesToChangeWhatAFileSays() throws {
      var metadata = ImageMetadata()
      metadata.make = "Ours"
      let image = try Image(Self.encoded(.bars(height: 64), .heic, metadata: metadata))
      let changes: [(Image) throws -> Image] = [
        { try $0.strippingLocation() }, { try $0.strippingAllMetadata() },
        { try $0.settingMetadata(ImageMetadata()) },
      ]
      for change in changes {
        let error = #expect(throws: ImagingError.self) { try change(image) }
        #expect(error?.code == .unsupported)
      }
    }

    @Test func refusesADeclaredSizeThatIsNotThePictures() throws {
      var data = try Self.encoded(.gradient(width: 128, height: 64), .heic)
      // The `ispe` box: length, name, version, then width and height.
      let place = try #require(data.range(of: Data("ispe".utf8))).upperBound + 4
      data.replaceSubrange(place..<place + 8, with: [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10])
      let image = try Image(data)
      #expect(image.pixelWidth == 10_000)
      #expect(throws: ImagingError.self) { try image.pixelBuffer() }
    }
  }

  extension PixelBuffer {
    fileprivate func meanError(
      inColumns columns: [Int]? = nil, to expected: (_ x: Int, _ y: Int) -> Scene.Color
    ) -> Double {
      var sum = 0.0
      let columns = columns ?? Array(0..<width)
      for y in 0..<height {
        for x in columns {
          let (pixel, color) = (bgra(x, y).map(Double.init), expected(x, y))
          sum += abs(pixel[0] - color.blue) + abs(pixel[1] - color.green)
          sum += abs(pixel[2] - color.red)
        }
      }
      return sum / Double(3 * height * columns.count)
    }
  }
#else
  /// A build without the trait says so.
  @Suite(.timeLimit(.minutes(1)))
  struct HEIFTests {
    @Test func isNotThere() throws {
      #expect(!HEIFEncoder.isAvailable)
      let pixels = try Scene.bars().pixels(.yuyv)
      let error = #expect(throws: ImagingError.self) { try HEIFEncoder().encode(pixels) }
      #expect(error?.code == .unsupported)
      #expect(error?.description.contains("trait HEIF") == true)
      #expect(Image(pixels).heicData() == nil)
    }

    @Test(arguments: ["heic", "avif"]) func isRefusedByName(_ brand: String) {
      let bytes = Data("\0\0\0\u{18}ftyp\(brand)\0\0\0\0mif1\(brand)".utf8)
      let error = #expect(throws: ImagingError.self) { try Image(bytes) }
      #expect(error?.code == .unsupported)
      #expect(error?.description.contains("trait HEIF") == true)
    }
  }
#endif

/// Profiles made of the numbers by which video files name their colours.
@Suite(.timeLimit(.minutes(1)))
struct CodedColorProfileTests {
  @Test func isDisplayP3ByItsNumbers() throws {
    let profile = try #require(ColorProfile(primaries: 12, transfer: 13))
    #expect(profile.name == "Display P3" && profile.colorSpace == "RGB")
    // As Apple's profile has them.
    let expected: [(String, [Double])] = [
      ("rXYZ", [0.5151, 0.2412, -0.0011]), ("gXYZ", [0.2920, 0.6922, 0.0419]),
      ("bXYZ", [0.1571, 0.0666, 0.7841]),
    ]
    for (tag, values) in expected {
      let place = try #require(profile.place(of: tag)) + 8
      for (index, value) in values.enumerated() {
        let bits = try #require(profile.number(at: place + 4 * index))
        let own = Double(Int32(bitPattern: UInt32(bits))) / 65_536
        #expect(abs(own - value) < 0.0003, "\(tag) \(index): \(own)")
      }
    }
  }

  @Test(arguments: [(1, 13), (2, 2), (6, 6), (12, 16), (9, 18)])
  func isNoneForSRGBAndHighDynamicRange(_ primaries: Int, _ transfer: Int) {
    #expect(ColorProfile(primaries: primaries, transfer: transfer) == nil)
  }
}

extension ColorProfile {
  fileprivate func number(at place: Int) -> Int? { data.bytes.bigEndian32(at: place) }

  fileprivate func place(of tag: String) -> Int? {
    for entry in 0..<20
    where data.dropFirst(132 + 12 * entry).prefix(4).elementsEqual(tag.utf8) {
      return data.bytes.bigEndian32(at: 136 + 12 * entry)
    }
    return nil
  }
}
