import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct JPEGHeaderTests {
  private func jpeg(_ format: PixelFormat = .yuyv) throws -> Data {
    try JPEGEncoder().encode(Scene.gradient(width: 70, height: 50).pixels(format))
  }

  @Test func readsWhatABaselinePictureSays() throws {
    let jpeg = try jpeg()
    let header = try jpeg.jpegHeader()
    #expect(header.width == 70 && header.height == 50)
    #expect(header.componentCount == 3 && header.bitsPerSample == 8)
    #expect(!header.isProgressive && !header.isArithmetic && !header.isLossless)
    #expect(header.hasHuffmanTables)
    #expect(header.orientation == .up)
    #expect(header.scanCount == 1)
    #expect(header.startOffset == 0 && header.endOffset == jpeg.count)
  }

  @Test func tellsTheProcessesApart() throws {
    let progressive = try StoredPictures.progressive.jpegHeader()
    #expect(progressive.isProgressive && !progressive.isArithmetic && !progressive.isLossless)
    #expect(progressive.scanCount == 10)
    #expect(progressive.endOffset == StoredPictures.progressive.count)
    let arithmetic = try StoredPictures.arithmetic.jpegHeader()
    #expect(arithmetic.isArithmetic && !arithmetic.isProgressive && arithmetic.hasHuffmanTables)
    let cmyk = try StoredPictures.cmyk.jpegHeader()
    #expect(cmyk.componentCount == 4)
  }

  @Test(arguments: [(UInt8(0xC3), true, false), (0xCB, true, true), (0xC2, false, false)])
  func namesLosslessAndArithmetic(
    _ marker: UInt8, _ isLossless: Bool, _ isArithmetic: Bool
  ) throws {
    var jpeg = try jpeg()
    let frame = try require(jpeg.jpegSegments.first { $0.marker == 0xC0 })
    jpeg[frame.range.lowerBound + 1] = marker
    let header = try jpeg.jpegHeader()
    #expect(header.isLossless == isLossless && header.isArithmetic == isArithmetic)
  }

  @Test func seesThatAWebcamLeftTheTablesOut() throws {
    #expect(try !jpeg().asFromWebcam.jpegHeader().hasHuffmanTables)
  }

  @Test func findsThePictureAmongForeignBytes() throws {
    let jpeg = try jpeg()
    let foreign = Data([0xFF, 0xD8, 0x00, 0xFF, 0x12]) + jpeg + Data(repeating: 0, count: 4096)
    let header = try foreign.jpegHeader()
    #expect(header.startOffset == 5 && header.endOffset == 5 + jpeg.count)
  }

  @Test func endsBeforeAnOlderFramesEnd() throws {
    let jpeg = try jpeg()
    let buffer = jpeg + jpeg.suffix(400) + Data(repeating: 0, count: 100)
    #expect(try buffer.jpegHeader().endOffset == jpeg.count)
  }

  @Test func knowsNoEndWhereTheMarkerIsMissing() throws {
    #expect(try jpeg().dropLast(2).copied.jpegHeader().endOffset == nil)
  }

  @Test func readsTheOrientation() throws {
    for orientation in ImageOrientation.allCases {
      var metadata = ImageMetadata()
      metadata.orientation = orientation
      metadata.make = "x"
      let pixels = try Scene.bars().pixels(.yuyv)
      let jpeg = try JPEGEncoder().encode(pixels, metadata: metadata)
      #expect(try jpeg.jpegHeader().orientation == orientation)
    }
  }

  /// A marker at every place of some blocks, among what only looks like one.
  @Test(arguments: [false, true]) func findsMarkersAlikeOnEveryProcessor(_ withRestarts: Bool) {
    let codes: [UInt8] = [0x00, 0xFF, 0xD0, 0xD7, 0xD9, 0x01]
    for count in [1, 2, 64, 65, 129, 257, 600] {
      for place in stride(from: 0, to: count, by: count < 300 ? 1 : 7) {
        var bytes = [UInt8](repeating: 0x5A, count: count)
        for index in stride(from: 0, to: count - 1, by: 50) { bytes[index] = 0xFF }
        for index in stride(from: 1, to: count, by: 50) { bytes[index] = 0 }
        bytes[place] = 0xFF
        if place + 1 < count { bytes[place + 1] = codes[place % codes.count] }
        let found = [0, 3, place].map { start in
          Loops.allCases.map {
            LibJPEGBridge.nextMarker(
              in: bytes.span.bytes, from: start, withRestarts: withRestarts, $0)
          }
        }
        #expect(found.allSatisfy { Set($0).count == 1 }, "\(place) of \(count)")
      }
    }
  }

  @Test func refusesWhatIsNoJPEG() {
    for bytes: [UInt8] in [[], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8)] {
      let error = #expect(throws: ImagingError.self) {
        try Data(bytes).jpegHeader()
      }
      #expect(error?.code == .corrupt || error?.code == .incomplete)
    }
  }

  @Test func tellsAnEarlyEndFromDamage() throws {
    let jpeg = try jpeg()
    let headers = try require(jpeg.jpegSegments.last).range.lowerBound
    let early = #expect(throws: ImagingError.self) {
      try jpeg.prefix(headers - 10).copied.jpegHeader()
    }
    #expect(early?.code == .incomplete)

    var damaged = jpeg
    let frame = try require(jpeg.jpegSegments.first { $0.marker == 0xC0 }).range.lowerBound
    damaged[frame + 5] = 0
    damaged[frame + 6] = 0
    let noSize = #expect(throws: ImagingError.self) { try damaged.jpegHeader() }
    #expect(noSize?.code == .corrupt)
  }
}
