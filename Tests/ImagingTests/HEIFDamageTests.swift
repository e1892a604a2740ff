import Foundation
import Testing

@testable import Imaging

#if HEIF
  /// HEIC and AVIF files that are damaged, or lie about what they hold.
  @Suite(.timeLimit(.minutes(2)))
  struct HEIFDamageTests {
    @Test(arguments: HEIFBytes.formats) func refusesWhatIsCutOffAnywhere(_ format: ImageFormat)
      throws
    {
      let whole = try HEIFBytes.encoded(.gradient(width: 128, height: 128), format)
      for count in stride(from: 12, to: whole.count, by: max(1, whole.count / 60)) {
        let error = #expect(throws: ImagingError.self) {
          try Image(whole.prefix(count)).pixelBuffer()
        }
        #expect(error.map { [.corrupt, .incomplete, .unsupported].contains($0.code) } == true)
      }
    }

    @Test(arguments: HEIFBytes.formats) func survivesEveryChangedByte(_ format: ImageFormat) throws
    {
      let whole = try HEIFBytes.encoded(.gradient(width: 64, height: 64), format)
      let limits = Image.Limits(pixelCount: 1 << 20, memoryByteCount: 64 << 20)
      for place in stride(from: 0, to: whole.count, by: 3) {
        var changed = whole
        changed[place] ^= 0xFF
        // An error or another picture; only not the end of the program.
        _ = try? Image(changed, limits: limits).pixelBuffer()
      }
    }

    @Test func refusesMorePixelsThanAreAllowed() throws {
      let data = try HEIFBytes.encoded(.gradient(width: 128, height: 64), .heic)
      let many = #expect(throws: ImagingError.self) {
        try Image(data, limits: .init(pixelCount: 128 * 64 - 1))
      }
      #expect(many?.code == .tooLarge)
      let image = try Image(data, limits: .init(memoryByteCount: 128 * 64 * 8))
      let heavy = #expect(throws: ImagingError.self) { try image.pixelBuffer() }
      #expect(heavy?.code == .tooLarge)
    }

    @Test(arguments: HEIFBytes.formats, [(128, 64), (300, 1000), (2048, 512)])
    func knowsHowLargeTheCodedPictureIs(_ format: ImageFormat, _ size: (Int, Int)) throws {
      let grey = Scene(width: size.0, height: size.1) { _, _ in .init(red: 9, green: 9, blue: 9) }
      let data = try HEIFBytes.encoded(grey, format, quality: 0.3)
      let coded = try #require(HEIFBytes.codedSize(of: data))
      #expect((size.0...size.0 + 64).contains(coded.width), "\(coded)")
      #expect((size.1...size.1 + 64).contains(coded.height), "\(coded)")
    }

    @Test(arguments: HEIFBytes.formats) func takesNoMemoryForPixelsThatTheFileHides(
      _ format: ImageFormat
    )
      throws
    {
      let grey = Scene(width: 1024, height: 1024) { _, _ in .init(red: 9, green: 9, blue: 9) }
      var data = try HEIFBytes.encoded(grey, format, quality: 0.3)
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

      let time = ContinuousClock().measure { _ = HEIFBytes.codedSize(of: data) }

      #expect(time < .seconds(10))
    }

    @Test func refusesADeclaredSizeThatIsNotThePictures() throws {
      var data = try HEIFBytes.encoded(.gradient(width: 128, height: 64), .heic)
      // The `ispe` box: length, name, version, then width and height.
      let place = try #require(data.range(of: Data("ispe".utf8))).upperBound + 4
      data.replaceSubrange(place..<place + 8, with: [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10])
      let image = try Image(data)
      #expect(image.pixelWidth == 10_000)
      #expect(throws: ImagingError.self) { try image.pixelBuffer() }
    }
  }
#endif
