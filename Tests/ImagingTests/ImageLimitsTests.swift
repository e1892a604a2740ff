import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct ImageLimitsTests {
  private static let size = PixelSize(width: 96, height: 64)

  private func jpeg(_ metadata: ImageMetadata = ImageMetadata()) throws -> Data {
    try JPEGEncoder().encode(
      Scene.gradient(width: 96, height: 64).pixels(.nv12), metadata: metadata)
  }

  @Test func refusesMetadataAboveTheLimit() throws {
    let length = 60_000
    let data = try jpeg().insertingSegment(0xFE, [UInt8](repeating: 0x20, count: length))
    #expect(code { try Image(data, limits: .init(metadataByteCount: length)) } == .tooLarge)
    #expect(code { try Image(data, limits: .init(metadataByteCount: length + 100)) } == nil)
  }

  @Test func refusesPixelsAboveTheMemory() throws {
    let data = try jpeg()
    let needed = Self.size.pixelCount * 4
    let tight = try Image(data, limits: .init(memoryByteCount: needed - 1))
    #expect(code { try tight.pixelBuffer() } == .tooLarge)
    #expect(code { try tight.partialPixelBuffer() } == .tooLarge)
    let enough = try Image(data, limits: .init(memoryByteCount: needed))
    #expect(code { try enough.pixelBuffer() } == nil)
  }

  @Test func refusesToResizeToMoreThanTheMemory() throws {
    let target = CGSize(width: 300, height: 200)
    let pixels = 96 * 64 * 4 + 300 * 200 * 4
    let png = try require(Image(Scene.gradient(width: 96, height: 64).pixels(.bgra)).pngData())
    for (data, needed) in [(png, pixels), (try jpeg(), 300 * 200 * 4)] {
      let tight = try Image(data, limits: .init(memoryByteCount: needed - 1))
      #expect(code { try tight.resized(to: target, contentMode: .scaleToFill) } == .tooLarge)
      let enough = try Image(data, limits: .init(memoryByteCount: needed))
      #expect(code { try enough.resized(to: target, contentMode: .scaleToFill) } == nil)
    }
  }

  @Test func countsTheCoefficientsOfAProgressivePicture() throws {
    var data = StoredPictures.progressive
    let frame = try require(data.jpegSegments.first { $0.marker == 0xC2 }).range.lowerBound
    data.replaceSubrange(frame + 5..<frame + 9, with: [4, 0, 4, 0])
    let pixels = 1024 * 1024 * 4
    let tight = try Image(data, limits: .init(memoryByteCount: pixels + (1 << 20)))
    let error = #expect(throws: ImagingError.self) { try tight.partialPixelBuffer() }
    #expect(error?.code == .tooLarge)
    #expect(error?.description == "The JPEG cannot be read: it takes more memory than is allowed.")
    let enough = try Image(data, limits: .init(memoryByteCount: pixels + (8 << 20)))
    #expect(code { try enough.partialPixelBuffer() } == nil)
  }

  @Test func refusesScansAboveTheLimit() throws {
    let data = StoredPictures.progressive
    #expect(code { try Image(data, limits: .init(scanCount: 9)).pixelBuffer() } == .tooLarge)
    #expect(code { try Image(data, limits: .init(scanCount: 10)).pixelBuffer() } == nil)
  }

  /// Whoever allows everything must not be brought down by what a picture declares.
  @Test func endsWhateverIsAllowedAndDeclared() throws {
    var png = try require(Image(Scene.gradient(width: 4, height: 4).pixels(.bgra)).pngData())
    let side = PNGBytes.bigEndian(0x7FFF_FFFF)
    png.replaceSubrange(8..<33, with: PNGBytes.chunk("IHDR", side + side + [16, 6, 0, 0, 0]))
    let jpeg = try jpeg().declaring(width: 65_500, height: 65_500)
    for data in [png, jpeg] {
      for number in [Int.max, Int.max / 2] {
        let limits = Image.Limits(
          pixelCount: number, scanCount: number, metadataByteCount: number,
          memoryByteCount: number)
        let image = try Image(data, limits: limits)
        let part = PixelRect(x: 0, y: 0, width: 9, height: 9)
        for refused in [
          code { try image.pixelBuffer() }, code { try image.thumbnail(maxPixelSize: 9) },
          code { try image.resized(to: CGSize(width: 9, height: 9), contentMode: .scaleToFill) },
          code { try image.cropped(to: part) }, code { try image.mirrored() },
        ] { #expect(refused != nil) }
        #expect(image.pngData() == nil && image.jpegData(compressionQuality: 1) == nil)
        _ = try? image.strippingLocation().strippingAllMetadata()
      }
      for number in [0, -1, Int.min] {
        #expect(code { try Image(data, limits: .init(pixelCount: number)) } == .tooLarge)
        let limits = Image.Limits(
          pixelCount: .max, scanCount: number, metadataByteCount: number, memoryByteCount: number)
        _ = code { try Image(data, limits: limits).thumbnail(maxPixelSize: 9) }
      }
    }
  }

  @Test(arguments: [false, true])
  func takesNoMemoryForAPictureThatLies(_ isProgressive: Bool) throws {
    var data = isProgressive ? StoredPictures.progressive : try jpeg()
    let frame = try require(data.jpegSegments.first { $0.marker & 0xFD == 0xC0 }).range.lowerBound
    data.replaceSubrange(frame + 5..<frame + 9, with: [0x36, 0, 0x36, 0])
    // Enough bytes that so many pixels could be in them.
    data = data.dropLast(2).copied + Data(repeating: 0x5A, count: 30_000)
    let image = try Image(data)

    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let before = try largestByteCount()
    #expect(throws: ImagingError.self) { try image.pixelBuffer() }

    #expect(try largestByteCount() - before < 64 << 20)
  }

  /// The most memory that the process has had since that was last reset.
  private func largestByteCount() throws -> Int {
    let status = try Data(contentsOf: URL(filePath: "/proc/self/status"))
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("VmHWM:")
    }
    return try require(line?.split(separator: " ").dropLast().last.flatMap { Int($0) }) * 1024
  }
}
