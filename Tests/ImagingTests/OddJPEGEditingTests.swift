import Foundation
import Testing

@testable import Imaging

/// Changes of pictures that are not as most are.
@Suite(.timeLimit(.minutes(1)))
struct OddJPEGEditingTests {
  private func jpeg(_ format: PixelFormat = .nv12, _ width: Int = 96, _ height: Int = 64) throws
    -> Data
  {
    try JPEGEncoder(quality: 0.9).encode(
      Scene.gradient(width: width, height: height).pixels(format))
  }

  @Test func turnsAPictureWhoseEndMarkerIsMissing() throws {
    let data = try jpeg()
    let turned = try Image(data.dropLast(2).copied).rotated(by: .half, oddEdges: .fail)
    let expected = try Image(data).rotated(by: .half, oddEdges: .fail)
    #expect(turned.encodedData == expected.encodedData)
    let cut = try Image(data.dropLast(300).copied)
    #expect(code { try cut.rotated(by: .half) } == .incomplete)
  }

  @Test func turnsAPictureAmongForeignBytes() throws {
    let data = try jpeg()
    let foreign = Data([0, 0xFF, 0x12]) + data + Data(repeating: 0xFF, count: 50)
    let turned = try JPEGTransform.oriented(foreign, by: .down, oddEdges: .fail)
    #expect(try turned.data == JPEGTransform.oriented(data, by: .down, oddEdges: .fail).data)
  }

  @Test func refusesAHoleInTheScan() throws {
    let data = try jpeg(.nv12, 320, 240)
    let middle = data.count / 2
    let hole = data.prefix(middle) + data.dropFirst(middle + 200)
    for oddEdges in [OddEdges.trim, .fail, .reencode()] {
      #expect(code { try Image(hole.copied).rotated(by: .half, oddEdges: oddEdges) } != nil)
    }
  }

  @Test(arguments: [UInt8(0xC3), 0xC5, 0xC6, 0xC7, 0xCB, 0xCD])
  func refusesOtherProcesses(_ marker: UInt8) throws {
    var data = try jpeg()
    let frame = try require(data.jpegSegments.first { $0.marker == 0xC0 }).range.lowerBound
    data[frame + 1] = marker
    #expect(code { try Image(data).pixelBuffer() } == .unsupported)
    #expect(code { try Image(data).rotated(by: .half) } == .unsupported)
  }

  @Test func keepsToThePicturesLimits() throws {
    let data = try jpeg(.nv12, 512, 512)
    let tight = try Image(data, limits: .init(memoryByteCount: 300_000))
    #expect(code { try tight.rotated(by: .half, oddEdges: .fail) } == .tooLarge)
    let few = try Image(StoredPictures.progressive, limits: .init(scanCount: 3))
    #expect(code { try few.mirrored(.horizontal, oddEdges: .fail) } == .tooLarge)
  }

  @Test func keepsGreyGrey() throws {
    let image = try Image(jpeg(.grey, 51, 37))
    let turned = try image.rotated(by: .clockwise90, oddEdges: .reencode())
    #expect(try require(turned.encodedData).jpegHeader().componentCount == 1)
    let upright = try LibYUVBridge.oriented(image.pixelBuffer(), by: .right)
    #expect(try turned.pixelBuffer().meanError(to: upright) < 2)
  }

  @Test func keepsProgressivePicturesProgressive() throws {
    let image = try Image(StoredPictures.progressive)
    let part = PixelRect(x: 16, y: 0, width: 16, height: 24)
    let cropped = try image.cropped(to: part, oddEdges: .fail)
    #expect(try require(cropped.encodedData).jpegHeader().isProgressive)
  }

  @Test func takesInksWithoutAdobesMarkerAsTheyAre() throws {
    let adobes = try Image(StoredPictures.cmyk).pixelBuffer().bgra(28, 4)
    let plain = try Image(StoredPictures.cmyk.withoutSegments(0xEE))
    let turned = try plain.rotated(by: .half, oddEdges: .trim)
    #expect(adobes != (try plain.pixelBuffer().bgra(28, 4)))
    // No marker appears that would invert the inks.
    #expect(try require(turned.encodedData).jpegMarkers.contains(0xEE) == false)
    #expect(try turned.pixelBuffer().bgra(3, 3) == plain.pixelBuffer().bgra(28, 20))
  }

  @Test func leavesNoStaleSmallPictures() throws {
    func resource(_ identifier: UInt8, _ content: [UInt8]) -> [UInt8] {
      Array("8BIM".utf8) + [4, identifier, 0, 0, 0, 0, 0, UInt8(content.count)] + content
        + (content.count % 2 == 1 ? [0] : [])
    }
    let iptc = resource(4, [0x1C, 2, 5, 0, 1, 0x41])
    let small = resource(12, [1, 2, 3, 4, 5])
    let header = Array("Photoshop 3.0\0".utf8)
    let data = try jpeg().insertingSegment(0xED, header + iptc + small + iptc)
      .insertingSegment(0xE0, Array("JFXX\0\u{10}small".utf8))

    for oddEdges in [OddEdges.fail, .reencode()] {
      let odd = oddEdges == .fail ? 16 : 15
      let edited = try Image(data).cropped(
        to: PixelRect(x: odd, y: 0, width: 20, height: 20), oddEdges: oddEdges)
      let file = try require(edited.encodedData)
      #expect(file.jpegContents(of: 0xED) == [Data(header + iptc + iptc)])
      #expect(!file.jpegMarkers.contains(0xE0))
    }
  }

  @Test func correctsTheOrientationThatXMPSays() throws {
    for (before, after) in [
      ("<x tiff:Orientation=\"6\"/>", "<x tiff:Orientation=\"1\"/>"),
      ("<tiff:Orientation>6</tiff:Orientation>", "<tiff:Orientation>1</tiff:Orientation>"),
      ("<x tiff:Orientation=''/>", "<x tiff:Orientation=''/>"),
      ("<x tiff:Orientation=\"6", "<x tiff:Orientation=\"6"),
    ] {
      let name = "http://ns.adobe.com/xap/1.0/\0"
      let data = try jpeg().insertingSegment(0xE1, Array((name + before).utf8))
      let turned = try Image(data).rotated(by: .clockwise90, oddEdges: .fail)
      let contents = try require(turned.encodedData).jpegContents(of: 0xE1)
      #expect(contents.last == Data((name + after).utf8))
    }
  }

  @Test func leavesNoStalePictureInXMP() throws {
    let image = "<xmp:Thumbnails><rdf:li xmpGImg:image='AAAA'/></xmp:Thumbnails>"
    let name = "http://ns.adobe.com/xap/1.0/\0"
    let data = try jpeg().insertingSegment(0xE1, Array((name + "<x>\(image)<a b='c'/></x>").utf8))
    let part = PixelRect(x: 16, y: 0, width: 20, height: 20)
    for oddEdges in [OddEdges.fail, .reencode()] {
      let cropped = try Image(data).cropped(to: part, oddEdges: oddEdges)
      let xmp = try require(require(cropped.encodedData).jpegContents(of: 0xE1).last)
      #expect(xmp.range(of: Data("AAAA".utf8)) == nil && xmp.range(of: Data("b='c'".utf8)) != nil)
    }
  }

  // MARK: Damage

  /// What libjpeg only warns of when blocks are moved is damage, as when they are decoded.
  @Test func movesNoBlocksOfAPictureThatCannotBeDecoded() throws {
    let pictures = [
      try jpeg(), StoredPictures.progressive,
      try SubsampledJPEG.quarter.data(Scene.gradient(width: 64, height: 48), isProgressive: true),
    ]
    var refused = 0
    for data in pictures {
      let start = data.count - data.jpegScans.count
      for place in stride(from: start, to: data.count - 2, by: 7) {
        for value in [0xFF, data[place] ^ 0x10, 0] as [UInt8] {
          var damaged = data
          damaged[place] = value
          guard let image = try? Image(damaged), code({ try image.pixelBuffer() }) != nil else {
            continue
          }
          refused += 1
          #expect(code { try image.rotated(by: .half, oddEdges: .trim) } != nil, "\(place)")
        }
      }
    }
    #expect(refused > 100)
  }

  @Test func movesNoBlocksOfScansThatAreMissing() throws {
    let data = StoredPictures.progressive
    let second = try require(data.range(of: Data([0xFF, 0xDA]), in: data.count / 2..<data.count))
    // A comment that is cut hides the end marker from whoever believes its length.
    for rest in [[0xFF, 0xFE, 1, 0, 1, 2, 3], [0xFF, 0xFE, 1, 0, 1, 0xFF, 0xD9]] as [[UInt8]] {
      let cut = data.prefix(second.lowerBound) + Data(rest)
      #expect(code { try Image(cut).pixelBuffer() } == .incomplete)
      #expect(code { try Image(cut).rotated(by: .half, oddEdges: .fail) } == .incomplete)
    }
  }
}
