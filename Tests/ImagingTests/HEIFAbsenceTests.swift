import Foundation
import Testing

@testable import Imaging

#if !HEIF
  /// A build without the trait says so.
  @Suite(.timeLimit(.minutes(1)))
  struct HEIFAbsenceTests {
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
