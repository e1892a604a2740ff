import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct JPEGPassthroughTests {
  private let encoded: Data
  private let frame: Data
  private var metadata = ImageMetadata()

  init() throws {
    encoded = try JPEGEncoder().encode(Scene.gradient(width: 160, height: 90).pixels(.yuyv))
    frame = encoded.asFromWebcam
    metadata.orientation = .right
    metadata.make = "Maker"
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660.25)
    metadata.timeZoneOffset = 3600
  }

  @Test func refusesFramesWhoseRestartMarkersAreGone() throws {
    let whole = StoredPictures.withRestarts
    let places = whole.indices.dropLast().filter {
      whole[$0] == 0xFF && (0xD0...0xD7).contains(whole[$0 + 1])
    }
    #expect(places.count == 5)
    let photo = try whole.photo(metadata)
    #expect(photo.jpegScans == whole.jpegScans)

    var damaged = whole
    for place in places[1...2] { damaged.replaceSubrange(place..<place + 2, with: [0x55, 0x55]) }
    let error = #expect(throws: ImagingError.self) { try damaged.photo(metadata) }
    #expect(error?.code == .corrupt)
  }

  @Test func makesAPhotoOfAFrameWithoutTables() throws {
    let photo = try frame.photo(metadata)

    #expect(photo.jpegMarkers.first == 0xE1)
    #expect(photo.jpegMarkers.filter { $0 == 0xE1 }.count == 1)
    #expect(!photo.jpegMarkers.contains(0xE0))
    #expect(photo.jpegScans == frame.jpegScans)
    #expect(try photo.jpegHeader().hasHuffmanTables)
    #expect(photo.imageMetadata == metadata)
  }

  @Test func insertsTheTablesThatTheStandardPrints() throws {
    let photo = try frame.photo(metadata)
    // libjpeg writes the same ones, so the encoder's own picture has them.
    let expected = encoded.jpegContents(of: 0xC4).reduce(Data(), +)
    let inserted = photo.jpegContents(of: 0xC4).reduce(Data(), +)
    #expect(tables(inserted) == tables(expected))
    #expect(tables(inserted).count == 4)
    #expect(try Image(photo).pixelBuffer().meanError(to: Image(encoded).pixelBuffer()) == 0)
  }

  private func tables(_ content: Data) -> [UInt8: Data] {
    var tables: [UInt8: Data] = [:]
    var rest = content
    while rest.count >= 17 {
      let count = rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
      tables[rest.first ?? 0] = rest.dropFirst().prefix(16 + count).copied
      rest = rest.dropFirst(17 + count)
    }
    return tables
  }

  @Test func insertsOnlyTheTablesThatAreMissing() throws {
    let segments = encoded.jpegSegments.filter { $0.marker == 0xC4 }
    let chroma = try require(segments.last)
    var partly = encoded
    partly.removeSubrange(chroma.range)
    let photo = try partly.photo(metadata)
    #expect(photo.jpegContents(of: 0xC4).count == segments.count)
    #expect(try Image(photo).pixelBuffer().meanError(to: Image(encoded).pixelBuffer()) == 0)

    let whole = try encoded.photo(metadata)
    #expect(whole.jpegContents(of: 0xC4) == encoded.jpegContents(of: 0xC4))
  }

  @Test(arguments: [0, 1, 2, 63, 4096, 100_000])
  func leavesNothingAfterTheEnd(_ padding: Int) throws {
    for filling: UInt8 in [0x00, 0xFF, 0xD9, 0x55] {
      let padded = frame + Data(repeating: filling, count: padding)
      let photo = try padded.photo(metadata)
      #expect(photo.jpegScans == frame.jpegScans)
    }
  }

  @Test func leavesAnOlderFramesRestOut() throws {
    let buffer = frame + frame.suffix(300)
    let photo = try buffer.photo(metadata)
    #expect(photo.jpegScans == frame.jpegScans)
  }

  @Test func toleratesBytesBeforeTheStart() throws {
    let junk = Data([0, 1, 2, 0xFF, 0x00, 0xFF, 0xD9]) + frame
    let photo = try junk.photo(metadata)
    #expect(photo.prefix(2) == Data([0xFF, 0xD8]))
    #expect(photo.jpegScans == frame.jpegScans)
  }

  @Test func keepsOtherSegments() throws {
    let rich = encoded.insertingSegment(0xFE, Array("a comment".utf8))
      .insertingSegment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}profile".utf8))
      .insertingSegment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let photo = try rich.photo(metadata)
    #expect(photo.jpegContents(of: 0xFE) == rich.jpegContents(of: 0xFE))
    #expect(photo.jpegContents(of: 0xE2) == rich.jpegContents(of: 0xE2))
    #expect(photo.jpegContents(of: 0xE1).dropFirst() == rich.jpegContents(of: 0xE1)[...])
    #expect(!photo.jpegMarkers.contains(0xE0))
  }

  @Test func keepsTheCamerasTagsAndChangesTheNamedOnes() throws {
    var cameras = ImageMetadata()
    cameras.model = "Camera's"
    cameras.isoSpeed = 400
    cameras.orientation = .down
    cameras.make = "An older maker"
    let sent = try JPEGEncoder().encode(Scene.bars().pixels(.yuyv), metadata: cameras)
    let photo = try sent.photo(metadata)

    var expected = metadata
    expected.model = "Camera's"
    expected.isoSpeed = 400
    #expect(photo.imageMetadata == expected)
    #expect(photo.jpegContents(of: 0xE1).count == 1)
  }

  @Test func replacesACamerasExifThatMakesNoSense() throws {
    let sent = encoded.insertingSegment(0xE1, Array("Exif\0\0nonsense, more nonsense".utf8))
    let photo = try sent.photo(metadata)
    #expect(photo.jpegContents(of: 0xE1).count == 1)
    #expect(photo.imageMetadata == metadata)
  }

  @Test func makesPhotosOfProgressivePictures() throws {
    let sent = StoredPictures.progressive + Data(repeating: 0, count: 50)
    let photo = try sent.photo(metadata)
    #expect(photo.jpegScans == StoredPictures.progressive.jpegScans)
    let pixels = try Image(photo).pixelBuffer()
    #expect(try pixels.meanError(to: Image(StoredPictures.progressive).pixelBuffer()) == 0)
  }

  @Test func keepsJFIFWhereWithoutItColoursWouldChange() throws {
    var named = try JPEGEncoder().encode(Scene.bars().pixels(.yuyv))
    let segments = named.jpegSegments
    let frame = try require(segments.first { $0.marker == 0xC0 }).range.lowerBound
    let scan = try require(segments.last).range.lowerBound
    for (index, name) in "RGB".utf8.enumerated() {
      named[frame + 10 + 3 * index] = name
      named[scan + 5 + 2 * index] = name
    }
    let photo = try named.photo(metadata)
    #expect(try Image(photo).pixelBuffer().meanError(to: Image(named).pixelBuffer()) == 0)
  }

  @Test func refusesAFrameWithoutAnEnd() {
    let error = #expect(throws: ImagingError.self) {
      try frame.dropLast(2).copied.photo(metadata)
    }
    #expect(error?.code == .incomplete)
  }

  @Test func refusesWhatIsNoJPEG() {
    let error = #expect(throws: ImagingError.self) {
      try Data(repeating: 7, count: 100).photo(metadata)
    }
    #expect(error?.code == .corrupt)
  }
}

// MARK: - Wholeness

extension JPEGPassthroughTests {
  @Test func tellsWholeFramesFromOthers() {
    #expect(frame.isWholeJPEG)
    #expect((frame + Data(repeating: 0, count: 5000)).isWholeJPEG)
    #expect(StoredPictures.progressive.isWholeJPEG)
    #expect(!frame.dropLast(2).copied.isWholeJPEG)
    #expect(!frame.prefix(frame.count / 2).copied.isWholeJPEG)
    #expect(!Data([0xFF, 0xD8, 0xFF, 0xD9]).isWholeJPEG)
    #expect(!Data().isWholeJPEG)
  }

  @Test func completesAFrameWhosePixelsAreAllThere() throws {
    let cut = frame.dropLast(2).copied
    #expect(try cut.completed() == frame)
    let filled = cut + Data(repeating: 0, count: 3000)
    #expect(try filled.completed() == frame)
    #expect(try frame.completed() == frame)
  }

  @Test func refusesToCompleteAFrameThatLacksPixels() {
    for share in [0.2, 0.5, 0.9, 0.99] {
      let cut = frame.prefix(frame.count - Int(Double(frame.jpegScans.count) * (1 - share)) - 8)
      let error = #expect(throws: ImagingError.self) {
        try cut.copied.completed()
      }
      #expect(error?.code == .incomplete)
    }
  }

  @Test func refusesToCompleteAProgressivePictureBetweenTwoScans() throws {
    let picture = StoredPictures.progressive
    // libjpeg takes such a picture without a warning, some of its detail missing.
    let scans = picture.indices.filter {
      picture[$0] == 0xFF && picture.dropFirst($0 + 1).first == 0xDA
    }
    for scan in scans.dropFirst() {
      let error = #expect(throws: ImagingError.self) {
        try picture.prefix(scan).copied.completed()
      }
      #expect(error?.code == .incomplete)
    }
    #expect(try picture.dropLast(2).copied.completed() == picture)
  }
}
