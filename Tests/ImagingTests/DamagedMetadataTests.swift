import Foundation
import Testing

@testable import Imaging

/// Whatever bytes say of a picture: it is read as far as it makes sense, and can be changed.
@Suite(.timeLimit(.minutes(1)))
struct DamagedMetadataTests {
  private static func files() throws -> [Data] {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.make = "Maker"
    metadata.imageDescription = "A description"
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660.25)
    metadata.location = .init(latitude: 48.5, longitude: -2.25, altitude: 35)
    let made = Image(
      try Scene.gradient(width: 24, height: 16).pixels(.bgra), metadata: metadata,
      colorProfile: ColorProfile(ColorProfileTests.profile()))
    let xmp = "http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude='48,5N' tiff:Orientation='6'/>"
    let small = try Scene.gradient(width: 8, height: 8).pixels(.bgra)
    let jpeg = try JPEGPassthrough.changing(
      require(made.jpegData(compressionQuality: 0.5)).bytes, metadata: .merging(metadata),
      thumbnail: .replacing(small))
    return [jpeg.insertingSegment(0xE1, Array(xmp.utf8)), try require(made.pngData())]
  }

  /// Everything that can be asked of a picture and done to it without decoding.
  private func use(_ data: Data, isSound: Bool = true) {
    guard let image = try? Image(data, limits: .init(pixelCount: 1 << 16)) else { return }
    _ = image.colorProfile?.name
    _ = image.metadata
    if let turned = try? image.withOrientation(.left) {
      #expect(turned.orientation == .left)
      #expect(turned.pixelWidth == image.pixelWidth)
      var others = image.metadata
      others.orientation = .left
      // Values that lie within one another cannot all stay.
      #expect(!isSound || turned.metadata == others)
    }
    _ = try? image.changingMetadata {
      $0.make = "A much longer name"
      $0.location = .init(latitude: 1, longitude: 1)
      $0.dateTaken = nil
    }
    if let stripped = try? image.strippingLocation() {
      #expect(stripped.metadata.location == nil)
      #expect(stripped.encodedData?.range(of: Data("GPS".utf8)) == nil)
    }
    if let bare = try? image.strippingAllMetadata() {
      #expect(bare.orientation == image.orientation)
    }
    if image.format == .jpeg { _ = JPEGThumbnail.embedded(in: data.bytes) }
  }

  @Test func survivesEveryChangedByteOfItsHeaders() throws {
    for file in try Self.files() {
      let headers = file.jpegSegments.last?.range.lowerBound ?? file.count
      let exif = try require(ImageFormat.picture(in: file.bytes).picture.exif(in: file.bytes))
      for place in 2..<headers {
        let values: [UInt8] = [0xFF, file[place] ^ 1, file[place] ^ 0x80]
        // Elsewhere it is long tables and other programs' blocks: each third place is enough.
        for (index, value) in values.enumerated()
        where exif.contains(place) || index == place % 3 {
          var damaged = file
          damaged[place] = value
          use(damaged)
        }
      }
    }
  }

  @Test func survivesEveryTruncation() throws {
    for file in try Self.files() {
      for length in 0..<file.count { use(file.prefix(length).copied) }
    }
  }

  /// What is damaged may be written anew, but what was to be said is said, or it is an error.
  @Test func saysWhatItIsToldToWhateverIsDamaged() throws {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.make = "Maker"
    metadata.location = .init(latitude: 3, longitude: 4)
    let data = try JPEGEncoder().encode(
      Scene.gradient(width: 16, height: 16).pixels(.grey), metadata: metadata)
    let place = ImageMetadata.Location(latitude: -5, longitude: 6.5)
    for offset in 12..<data.jpegSegments[0].range.upperBound {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        var damaged = data
        damaged[offset] ^= change
        guard let image = try? Image(damaged) else { continue }
        let changed = try? image.changingMetadata {
          $0.location = place
          $0.orientation = .left
          $0.imageDescription = "A text that has no room in an entry"
        }
        guard let said = changed?.metadata else { continue }
        let isSaid =
          said.location == place && said.orientation == .left
          && said.imageDescription == "A text that has no room in an entry"
          && said.make == image.metadata.make
        #expect(isSaid, "\(offset) \(change)")
      }
    }
  }

  @Test func survivesEXIFThatPointsIntoItself() throws {
    for file in try Self.files() {
      let found = try ImageFormat.picture(in: file.bytes).picture.exif(in: file.bytes)
      let block = try require(found)
      // Offsets and counts, at even places, that hit the header, the directories, and the end.
      for place in stride(from: block.lowerBound, to: block.upperBound - 4, by: 2) {
        for target in [8, (place - block.lowerBound) & 0xFFFE, block.count - 6] {
          var damaged = file
          damaged[place] = UInt8(target & 255)
          damaged[place + 1] = UInt8(target >> 8)
          use(damaged, isSound: false)
        }
      }
    }
  }
}
