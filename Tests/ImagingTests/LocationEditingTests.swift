import Foundation
import Testing

@testable import Imaging

/// A picture that is to say another place or time than it does.
@Suite(.timeLimit(.minutes(1)))
struct LocationEditingTests {
  private typealias Bytes = MetadataBoundsTests

  /// Pictures with the location of a Japanese camera: an old map, a destination, a region.
  private static func files() throws -> [Data] {
    let location = 8 + 6 + 12 * 2
    let numbers = location + 6 + 12 * 8
    let degrees = [35, 40, 0].flatMap { Bytes.little($0, 4) + Bytes.little(1, 4) }
    let block = Bytes.tiff(
      [(0x0112, 3, 1, 6), (0x8825, 4, 1, location)],
      Bytes.directory([
        (0x01, 2, 2, 0x4E), (0x02, 5, 3, numbers), (0x03, 2, 2, 0x45), (0x04, 5, 3, numbers),
        (0x11, 5, 1, numbers), (0x12, 2, 6, numbers + 24), (0x16, 5, 3, numbers),
        (0x1C, 7, 12, numbers + 30),
      ]) + degrees + Array("TOKYO\0".utf8) + Array("Shinjuku-ku\0".utf8))
    return [try Bytes.jpeg(exif: block), Bytes.png(exif: block)]
  }

  @Test func leavesNothingOfTheOldPlace() throws {
    for file in try Self.files() {
      let image = try Image(file)
      try #require(image.metadata.location?.latitude == 35.666666667)

      let moved = try image.changingMetadata { $0.location = .init(latitude: 48.5, longitude: -2) }

      #expect(moved.metadata.location == .init(latitude: 48.5, longitude: -2))
      #expect(moved.orientation == .right)
      let data = try require(moved.encodedData)
      for text in ["TOKYO", "Shinjuku"] { #expect(data.range(of: Data(text.utf8)) == nil) }
      let exif = try require(ImageFormat.picture(in: data.bytes).picture.exifBlock(in: data.bytes))
      #expect(exif[.location].entries.map(\.tag) == [0, 1, 2, 3, 4, 0x11])
    }
  }

  /// No name of the place stays, be it elsewhere in the file.
  @Test func removesItAsStrippingDoes() throws {
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0<d photoshop:City='Tokyo' dc:x='y'/>".utf8)
    let files = try Self.files()
    for file in [files[0].insertingSegment(0xE1, xmp), files[1]] {
      let image = try Image(file)
      let removed = try image.changingMetadata { $0.location = nil }
      #expect(try removed.encodedData == image.strippingLocation().encodedData)
      #expect(removed.encodedData?.range(of: Data("Tokyo".utf8)) == nil)
    }
  }

  @Test func keepsWhatIsSaidOfTheSamePlace() throws {
    for file in try Self.files() {
      let higher = try Image(file).changingMetadata { $0.location?.altitude = 40 }

      let data = try require(higher.encodedData)
      #expect(data.range(of: Data("TOKYO".utf8)) != nil)
      #expect(higher.metadata.location?.altitude == 40)
    }
  }

  @Test(arguments: [
    ImageMetadata.Location(latitude: .nan, longitude: 0), .init(latitude: 0, longitude: 181),
    .init(latitude: 0, longitude: 0, altitude: .infinity),
    .init(latitude: 0, longitude: 0, timestamp: Date(timeIntervalSince1970: 1e300)),
  ])
  func refusesAPlaceThatIsNone(_ location: ImageMetadata.Location) throws {
    let bare = try Self.files().map { file in
      try require(Image(file).strippingAllMetadata().encodedData)
    }
    for file in try Self.files() + bare {
      let error = #expect(throws: ImagingError.self) {
        try Image(file).changingMetadata { $0.location = location }
      }
      #expect(error?.code == .invalidMetadata)
      #expect(error.map { "\($0.code)" } == "invalidMetadata")
    }
    let made = Image(try Scene.bars().pixels(.bgra))
    #expect(throws: ImagingError.self) { try made.changingMetadata { $0.location = location } }
  }

  @Test(arguments: [(Date.distantPast, nil), (.now, 86_400), (.now, .min)] as [(Date, Int?)])
  func refusesADateThatIsNone(_ date: Date, _ zone: Int?) throws {
    for file in try Self.files() {
      let error = #expect(throws: ImagingError.self) {
        try Image(file).changingMetadata { ($0.dateTaken, $0.timeZoneOffset) = (date, zone) }
      }
      #expect(error?.code == .invalidMetadata)
    }
  }
}
