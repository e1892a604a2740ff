import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct MetadataEditingTests {
  private static var metadata: ImageMetadata {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660.25)
    metadata.timeZoneOffset = 7200
    metadata.make = "Maker"
    metadata.exposureTime = .init(1, 160)
    metadata.isoSpeed = 400
    metadata.location = .init(latitude: 48.5, longitude: -2.25, altitude: 35)
    return metadata
  }

  private static func files() throws -> [Data] {
    let made = Image(try Scene.bars().pixels(.bgra), metadata: metadata)
    return [try require(made.jpegData(compressionQuality: 0.8)), try require(made.pngData())]
  }

  private func differences(_ first: Data, _ second: Data) -> [Int] {
    first.count == second.count ? first.indices.filter { first[$0] != second[$0] } : [-1]
  }

  @Test(arguments: ImageOrientation.allCases)
  func changesTheOrientationInItsPlace(_ orientation: ImageOrientation) throws {
    for file in try Self.files() {
      let image = try Image(file)
      let turned = try image.withOrientation(orientation)
      #expect(turned.orientation == orientation)
      let places = differences(file, try require(turned.encodedData))
      // In PNG the chunk's checksum, too.
      #expect(places.count == (orientation == .right ? 0 : image.format == .png ? 5 : 1))
      #expect(try turned.withOrientation(.right).encodedData == file)
      var expected = Self.metadata
      expected.orientation = orientation
      #expect(turned.metadata == expected)
    }
  }

  @Test func changesValuesOfAFixedSizeInTheirPlaces() throws {
    for file in try Self.files() {
      let image = try Image(file)
      let changes: [(inout ImageMetadata) -> Void] = [
        { $0.isoSpeed = 800 }, { $0.exposureTime = .init(1, 30) }, { $0.make = "Other" },
        { $0.make = "M" }, { $0.dateTaken = Date(timeIntervalSince1970: 1_700_000_000.75) },
        { $0.timeZoneOffset = -3600 }, { $0.location?.latitude = -12.125 },
        { $0.location?.altitude = -4 },
      ]
      for change in changes {
        let changed = try image.changingMetadata(change)
        var expected = Self.metadata
        change(&expected)
        #expect(changed.metadata == expected)
        #expect(changed.encodedData?.count == file.count)
        #expect(differences(file, try require(changed.encodedData)).count <= 90)
      }
    }
  }

  @Test func addsAndRemovesTags() throws {
    for file in try Self.files() {
      let image = try Image(file)
      let changes: [(inout ImageMetadata) -> Void] = [
        { $0.model = "A model" }, { $0.make = "A much longer name than before" }, { $0.make = nil },
        { $0.focalLength = .init(35, 1) },
        {
          $0.dateTaken = nil; $0.timeZoneOffset = nil
        },
        { $0.location = nil }, { $0.location?.timestamp = Date(timeIntervalSince1970: 1e9) },
        {
          $0.exposureTime = nil; $0.isoSpeed = nil
        }, { $0.location?.altitude = nil },
      ]
      for change in changes {
        let changed = try image.changingMetadata(change)
        var expected = Self.metadata
        change(&expected)
        #expect(changed.metadata == expected)
        #expect(try changed.pixelBuffer().meanError(to: image.pixelBuffer()) == 0)
      }
    }
  }

  @Test func leavesNothingOfWhatItRemoves() throws {
    for file in try Self.files() {
      let image = try Image(file).changingMetadata { $0.imageDescription = "A secret of mine" }
      #expect(try require(image.encodedData).range(of: Data("A secret".utf8)) != nil)
      for text in [nil, "Much longer, and no longer what it was", "Short"] {
        let changed = try image.changingMetadata { $0.imageDescription = text }
        #expect(try require(changed.encodedData).range(of: Data("secret".utf8)) == nil)
      }
    }
  }

  @Test func writesMetadataWhereThereIsNone() throws {
    let made = Image(try Scene.bars().pixels(.bgra))
    for data in [made.jpegData(compressionQuality: 0.8), made.pngData()] {
      let image = try Image(require(data))
      #expect(image.metadata.isEmpty)
      let changed = try image.settingMetadata(Self.metadata)
      #expect(changed.metadata == Self.metadata)
      #expect(try changed.pixelBuffer().meanError(to: image.pixelBuffer()) == 0)
      #expect(try image.settingMetadata(ImageMetadata()).encodedData == data)
    }
  }

  @Test func keepsAllElseByteForByte() throws {
    var jpeg = try Self.files()[0]
    jpeg = jpeg.insertingSegment(0xE2, Array("MPF\0and offsets".utf8))
      .insertingSegment(0xED, Array("Photoshop 3.0\0and more".utf8))
      .insertingSegment(0xFE, Array("a comment".utf8))
    let file = Data([1, 2, 3]) + jpeg + Data("what follows".utf8)
    let changed = try Image(file).changingMetadata {
      $0.orientation = .left
      $0.model = "longer"
    }
    let result = try require(changed.encodedData)
    let old = try require(JPEGStructure(headersOf: file.bytes).exif(in: file.bytes))
    let new = try require(JPEGStructure(headersOf: result.bytes).exif(in: result.bytes))
    #expect(result.prefix(old.lowerBound - 8) == file.prefix(old.lowerBound - 8))
    #expect(result.dropFirst(new.upperBound) == file.dropFirst(old.upperBound))
  }

  @Test func changesTheOrientationOfXMPToo() throws {
    for text in ["tiff:Orientation=\"6\"", "tiff:Orientation>6</tiff:Orientation>"] {
      let xmp = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta \(text)/>"
      let file = try Self.files()[0].insertingSegment(0xE1, Array(xmp.utf8))
      let turned = try Image(file).withOrientation(.down)
      let result = try require(turned.encodedData)
      #expect(differences(file, result).count == 2)
      #expect(result.range(of: Data(text.replacing("6", with: "3").utf8)) != nil)
    }
  }

  @Test func sharesPixelsThatAreDecoded() throws {
    let image = try Image(Self.files()[0])
    let pixels = try image.pixelBuffer()
    let turned = try image.withOrientation(.up)
    let address = { (pixels: PixelBuffer) in pixels.withUnsafePlanes { $0[0].baseAddress } }
    #expect(try address(turned.pixelBuffer()) == address(pixels))
  }

  @Test func changesPicturesMadeOfPixels() throws {
    let image = Image(try Scene.bars().pixels(.yuyv), orientation: .left)
    #expect(image.size == PixelSize(width: 32, height: 128))
    #expect(try image.settingMetadata(Self.metadata).metadata == Self.metadata)
    #expect(try image.withOrientation(.down).orientation == .down)
    #expect(try image.strippingAllMetadata().orientation == .left)
  }

  @Test func refusesWhatHasNoRoom() throws {
    var image = try Image(Self.files()[0])
    let error = #expect(throws: ImagingError.self) {
      for count in 6000..<6100 {
        image = try image.changingMetadata { $0.make = String(repeating: "x", count: count) }
      }
    }
    #expect(error?.code == .tooLarge)
    #expect(image.metadata.make?.hasPrefix("xxx") == true && image.metadata.isoSpeed == 400)
  }
}

/// Pictures of real cameras.
extension MetadataEditingTests {
  @Test(
    .enabled(if: SharedPictures.areThere, "the shared pictures are not beside the package"),
    arguments: SharedPictures.names(in: "cameras") + SharedPictures.names(in: "gps"))
  func movesNoMakerNote(_ name: String) throws {
    let file = try SharedPictures.data(name)
    let image = try Image(file)
    let turned = try image.withOrientation(image.orientation == .left ? .right : .left)
    let data = try require(turned.encodedData)
    let structure = try JPEGStructure(headersOf: file.bytes)
    let block = structure.exif(in: file.bytes).flatMap { ExifBlock(file.bytes.extracting($0)) }
    if block?.contains(ExifBlock.Tag.orientation, in: .main) == true {
      #expect((1...2).contains(differences(file, data).count))
    }
    let other = try turned.changingMetadata {
      $0.imageDescription = "Something longer than what any camera has written here before"
      $0.location = .init(latitude: 1, longitude: 2)
    }
    guard Programs.exiftool != nil else { return }
    // The orientation in XMP follows.
    let options = [
      "--Orientation",
      "-MakerNotes:all", "-XMP:all", "-IPTC:all", "-Photoshop:all", "-ICC_Profile:all",
    ]
    let before = try ExifTool.tags(of: file, options).filter { $0.key != "SourceFile" }
    for data in [data, try require(other.encodedData)] {
      let after = try ExifTool.tags(of: data, options).filter { $0.key != "SourceFile" }
      #expect("\(after.sorted { $0.key < $1.key })" == "\(before.sorted { $0.key < $1.key })")
    }
  }
}
