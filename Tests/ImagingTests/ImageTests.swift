import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct ImageTests {
  private func jpeg(_ metadata: ImageMetadata = ImageMetadata()) throws -> Data {
    try JPEGEncoder().encode(
      Scene.gradient(width: 96, height: 64).pixels(.nv12), metadata: metadata)
  }

  private var turned: ImageMetadata {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.model = "M"
    return metadata
  }

  @Test func knowsItsHeaderAndKeepsItsBytes() throws {
    let data = try jpeg(turned)
    let image = try Image(data)
    #expect(image.encodedData == data)
    #expect(image.pixelWidth == 96 && image.pixelHeight == 64)
    #expect(image.size == PixelSize(width: 64, height: 96))
    #expect(image.metadata == turned && image.orientation == .right)
  }

  @Test func decodesOnceAndShares() async throws {
    let image = try Image(jpeg())
    let addresses = await withTaskGroup(of: UInt.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let pixels = try? image.pixelBuffer()
          return pixels?.withUnsafePlanes { UInt(bitPattern: $0[0].baseAddress) } ?? 0
        }
      }
      return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
    }
    #expect(addresses.count == 1 && !addresses.contains(0))
  }

  @Test func showsAllOrientationsAlike() throws {
    let pixels = try Scene.gradient(width: 96, height: 64).pixels(.bgra32)
    for orientation in ImageOrientation.allCases {
      var metadata = ImageMetadata()
      metadata.orientation = orientation
      metadata.make = "x"
      let image = try Image(JPEGEncoder().encode(pixels, metadata: metadata))
      let shown = try image.orientedPixelBuffer()
      #expect(shown.width == image.size.width && shown.height == image.size.height)
      // Turning the pixels in the file gives the same as turning them when they are shown.
      let upright = try JPEGTransform.oriented(require(image.encodedData), by: orientation)
      #expect(try Image(upright.data).pixelBuffer().meanError(to: shown) < 1)
    }
  }

  @Test func encodesAnewWithItsOrientation() throws {
    let image = try Image(jpeg(turned))
    let data = try require(image.jpegData(compressionQuality: 0.5))
    #expect(data != image.encodedData)
    let again = try Image(data)
    #expect(again.metadata == turned && again.size == image.size)
  }

  @Test func isMadeOfPixels() throws {
    let pixels = try Scene.bars().pixels(.yuyv, .bt601Limited)
    let image = Image(pixels)
    #expect(image.encodedData == nil && image.size == PixelSize(width: 128, height: 32))
    #expect(try image.pixelBuffer().format == .bgra32)
    let data = try require(image.jpegData(compressionQuality: 0.85))
    #expect(try data.jpegHeader().samplingDescription == "4:2:2")
  }

  @Test(
    arguments: [
      ("WebP", Array("RIFF\0\0\0\0WEBPVP8 ".utf8)), ("TIFF", Array("II*\0".utf8)),
      ("TIFF", Array("MM\0*".utf8)),
    ]
      + (HEIFFiles.isBuiltIn
        ? []
        : [
          ("HEIC", Array("\0\0\0\u{18}ftypheic".utf8)),
          ("AVIF", Array("\0\0\0\u{18}ftypavif".utf8)),
        ]))
  func refusesOtherKindsByName(_ name: String, _ bytes: [UInt8]) {
    let error = #expect(throws: ImagingError.self) {
      try Image(Data(bytes + [UInt8](repeating: 0, count: 64)))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains(name) == true)
  }

  @Test func refusesWhatIsNoPicture() {
    for bytes in [Data(), Data([1, 2, 3]), Data("<html></html>".utf8)] {
      let error = #expect(throws: ImagingError.self) { try Image(bytes) }
      #expect(error?.code == .corrupt)
    }
  }

  @Test func refusesDeclaredSizesAboveTheLimit() throws {
    var data = try jpeg()
    let frame = try require(data.jpegSegments.first { $0.marker == 0xC0 }).range.lowerBound
    data.replaceSubrange(frame + 5..<frame + 9, with: [0x40, 0, 0x40, 0])
    let error = #expect(throws: ImagingError.self) { try Image(data) }
    #expect(error?.code == .tooLarge)
    let small = #expect(throws: ImagingError.self) {
      try Image(jpeg(), limits: .init(pixelCount: 96 * 64 - 1))
    }
    #expect(small?.code == .tooLarge)
    #expect(try Image(jpeg(), limits: .init(pixelCount: 96 * 64)).pixelWidth == 96)
  }

  @Test func takesNoMemoryForPixelsThatCannotBeThere() throws {
    var data = try jpeg()
    let frame = try require(data.jpegSegments.first { $0.marker == 0xC0 }).range.lowerBound
    data.replaceSubrange(frame + 5..<frame + 9, with: [0x36, 0, 0x36, 0])
    let image = try Image(data)
    #expect(throws: ImagingError.self) { try image.pixelBuffer() }
  }

  @Test func reportsAFileThatIsNotThere() throws {
    let error = #expect(throws: ImagingError.self) {
      try Image(contentsOf: URL(filePath: "/nowhere/at-all.jpg"))
    }
    #expect(error?.code == .unreadable)
    #expect(error?.errno == 2)
    #expect(error?.description.contains("at-all.jpg") == true)
  }

  @Test func readsAFile() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    defer { try? FileManager.default.removeItem(at: url) }
    let data = try jpeg()
    try data.write(to: url)
    #expect(try Image(contentsOf: url).encodedData == data)
  }
}

// MARK: - Odd kinds and damage

extension ImageTests {
  @Test func readsCMYKAndYCCK() throws {
    for data in [StoredPictures.cmyk, StoredPictures.ycck] {
      let pixels = try Image(data).pixelBuffer()
      let (red, grey) = (pixels.bgra(4, 4), pixels.bgra(28, 4))
      #expect(zip(red, [0, 0, 255, 255]).allSatisfy { abs(Int($0) - $1) <= 3 })
      #expect(zip(grey, [100, 100, 100, 255]).allSatisfy { abs(Int($0) - $1) <= 3 })
    }
  }

  @Test func readsProgressiveAndArithmetic() throws {
    for data in [StoredPictures.progressive, StoredPictures.arithmetic] {
      let pixels = try Image(data).pixelBuffer()
      let error = pixels.largestError { x, y in
        Scene.Color(red: Double(x * 8), green: Double(y * 10), blue: Double(255 - x * 8))
      }
      #expect(error < 40)
    }
  }

  @Test func readsGreyWhateverItsHeaderSaysBesides() throws {
    let scene = Scene.greyRamp(width: 64, height: 40)
    var data = try JPEGEncoder(quality: 1).encode(scene.pixels(.grey))
    let frame = try require(data.jpegSegments.first { $0.marker == 0xC0 }).range.lowerBound
    data[frame + 11] = 0x22
    data = data.insertingSegment(0xEE, Array("Adobe\0d\0\0\0\0\0".utf8))
    let pixels = try Image(data).pixelBuffer()
    #expect(pixels.largestError { scene.shown($0, $1, .grey, .jpeg) } <= 2)
  }

  @Test(arguments: [UInt8(12), 16, 2, 0, 255])
  func refusesOtherPrecisions(_ bits: UInt8) throws {
    var data = try jpeg()
    let frame = try require(data.jpegSegments.first { $0.marker == 0xC0 }).range.lowerBound
    data[frame + 4] = bits
    let error = #expect(throws: ImagingError.self) { try Image(data).pixelBuffer() }
    #expect(error?.code == .unsupported)
  }

  @Test func refusesThousandsOfScans() throws {
    let picture = StoredPictures.progressive
    let scans = picture.indices.filter {
      picture[$0] == 0xFF && picture.dropFirst($0 + 1).first == 0xDA
    }
    let last = picture[try require(scans.last)..<picture.count - 2]
    var long = picture.dropLast(2).copied
    for _ in 0..<600 { long.append(last) }
    long.append(contentsOf: [0xFF, 0xD9])
    let error = #expect(throws: ImagingError.self) { try Image(long).pixelBuffer() }
    #expect(error?.description.contains("scans") == true)
  }

  @Test func takesWarningsOfStoredDataForFailures() throws {
    let data = try jpeg()
    let cut = #expect(throws: ImagingError.self) {
      try Image(data.prefix(data.count / 2 + 300).copied).pixelBuffer()
    }
    #expect(cut?.code == .incomplete)
    let progressive = StoredPictures.progressive
    let black = #expect(throws: ImagingError.self) {
      try Image(progressive.prefix(progressive.count * 3 / 4).copied).pixelBuffer()
    }
    #expect(black?.code == .incomplete)
  }

  @Test func toleratesBytesThatBelongToNothing() throws {
    let data = try jpeg()
    let scan = try require(data.jpegSegments.last).range.lowerBound
    let padded =
      data.prefix(scan) + Data(repeating: 0, count: 64) + data[scan..<data.count - 2]
      + Data(repeating: 0x2A, count: 16) + [0xFF, 0xD9] + Data(repeating: 0, count: 4096)
    #expect(try Image(padded.copied).pixelBuffer().meanError(to: Image(data).pixelBuffer()) == 0)
  }
}
