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
    let long = String(repeating: "x", count: 65_400)
    for file in try Self.files() {
      let image = try Image(file)
      #expect(code { try image.changingMetadata { $0.imageDescription = long } } == .tooLarge)
      #expect(image.metadata.isoSpeed == 400)
    }
    var metadata = Self.metadata
    metadata.imageDescription = long
    let pixels = try Scene.bars().pixels(.bgra)
    #expect(code { try JPEGEncoder().encode(pixels, metadata: metadata) } == .tooLarge)
    #expect(code { try Self.files()[0].photo(metadata) } == .tooLarge)
    #expect(Image(pixels, metadata: metadata).pngData() == nil)
  }

  @Test func keepsALongDescriptionWhole() throws {
    let long = String(repeating: "ä", count: 15_000)
    for file in try Self.files() {
      let changed = try Image(file).changingMetadata { $0.imageDescription = long }
      #expect(changed.metadata.imageDescription == long)
    }
  }

  @Test(arguments: [0, 65_534, 65_535, 65_536, 409_600, Int(UInt32.max)])
  func writesAnySensitivity(_ speed: Int) throws {
    for file in try Self.files() {
      let changed = try Image(file).changingMetadata { $0.isoSpeed = speed }
      #expect(changed.metadata.isoSpeed == speed)
      let lower = try changed.changingMetadata { $0.isoSpeed = 250 }
      #expect(lower.metadata.isoSpeed == 250)
      #expect(try lower.changingMetadata { $0.isoSpeed = nil }.metadata.isoSpeed == nil)
      guard Programs.exiftool != nil else { continue }
      let tags = try ExifTool.tags(
        of: require(changed.encodedData), ["-EXIF:all", "-validate", "-warning"])
      func number(_ name: String, _ tags: [String: any Sendable]) -> Int? {
        (tags[name] as? NSNumber)?.intValue
      }
      #expect(number("ISO", tags) == min(speed, 65_535))
      #expect(tags["Warning"] == nil)
      #expect(number("RecommendedExposureIndex", tags) == (speed < 65_535 ? nil : speed))
      let last = try ExifTool.tags(of: require(lower.encodedData), ["-EXIF:all"])
      #expect(number("RecommendedExposureIndex", last) == (speed < 65_535 ? nil : 250))
    }
  }

  @Test(arguments: [-1, Int.min, .max])
  func refusesASensitivityThatIsNone(_ speed: Int) throws {
    for file in try Self.files() {
      let image = try Image(file)
      #expect(code { try image.changingMetadata { $0.isoSpeed = speed } } == .invalidMetadata)
    }
  }

  // MARK: What XMP says, too

  private static func withXMP(_ content: String, extended: String? = nil) throws -> Image {
    let xmp = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><d \(content)</x:xmpmeta>"
    var file = try files()[0].insertingSegment(0xE1, Array(xmp.utf8))
    if let extended {
      let header =
        Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 32)
        + PNGBytes.bigEndian(extended.utf8.count) + PNGBytes.bigEndian(0)
      file = file.insertingSegment(0xE1, header + Array(extended.utf8))
    }
    return try Image(file)
  }

  private func text(_ image: Image) throws -> String {
    let xmp = try require(image.encodedData).jpegContents(of: 0xE1).filter {
      $0.starts(with: Data("http".utf8))
    }
    return xmp.map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  @Test func changesTheOrientationOfXMPWhereverItChanges() throws {
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0<d tiff:Orientation='6'/>".utf8)
    let file = try JPEGEncoder().encode(
      Scene.gradient(width: 51, height: 37).pixels(.nv12), metadata: Self.metadata
    ).insertingSegment(0xE1, xmp)
    let tagged = try Image(file).rotated(by: .clockwise90, oddEdges: .exifOnly)
    #expect(tagged.orientation == .down)
    #expect(try text(tagged).contains("Orientation='3'"))
    for orientation in ImageOrientation.allCases {
      var metadata = ImageMetadata()
      metadata.orientation = orientation
      let expected = "Orientation='\(orientation.rawValue)'"
      #expect(try text(Image(file.photo(metadata))).contains(expected))
      let merged = try JPEGThumbnailTests.changing(file, .merging(metadata))
      #expect(try text(Image(merged)).contains(expected))
    }
  }

  /// Where EXIF has to be written anew, and where it was not there.
  @Test func changesTheOrientationOfXMPWithLongerEXIF() throws {
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0<d tiff:Orientation='6'/>".utf8)
    let plain = try JPEGEncoder().encode(Scene.gradient(width: 51, height: 37).pixels(.nv12))
    for data in [plain, try plain.photo(Self.metadata)] {
      let changed = try Image(data.insertingSegment(0xE1, xmp)).changingMetadata {
        $0.orientation = .down
        $0.imageDescription = String(repeating: "long", count: 50)
      }
      #expect(try text(changed).contains("Orientation='3'"))
    }
  }

  @Test(arguments: [false, true])
  func changesTheOrientationOfAPNGsXMP(_ isCompressed: Bool) throws {
    func content(_ digit: Int, _ isCompressed: Bool) throws -> [UInt8] {
      let xmp = "<d tiff:Orientation='\(digit)' dc:title='t'/>"
      let text =
        isCompressed ? [UInt8](try require(LibPNGBridge.deflated(Data(xmp.utf8)))) : Array(xmp.utf8)
      return Array("XML:com.adobe.xmp".utf8) + [0, isCompressed ? 1 : 0, 0, 0, 0] + text
    }
    var png = PNGBytes(width: 4, height: 4, colorType: 0, depth: 8) { x, _, _ in x }
    png.chunks = [("iTXt", try content(6, isCompressed)), ("iTXt", Array("a\0\0\0\0\0b".utf8))]
    for orientation in ImageOrientation.allCases {
      let turned = try Image(png.data).withOrientation(orientation)
      let again = try turned.changingMetadata { $0.make = "Maker" }
      for image in [turned, again] where image.metadata.make != nil || orientation != .up {
        let chunks = try require(image.encodedData).pngChunks.filter { $0.type == "iTXt" }
        let isTheSame = orientation == .right
        #expect(
          try chunks.first?.content
            == Data(content(orientation.rawValue, isTheSame && isCompressed)))
        #expect(chunks.count == 2 && chunks.last?.content.last == UInt8(ascii: "b"))
        #expect(try image.pixelBuffer().bgra(3, 0) == [3, 3, 3, 255])
      }
    }
  }

  @Test func leavesNoOldPositionInXMP() throws {
    let other = ImageMetadata.Location(latitude: 1, longitude: 2)
    let content = "exif:GPSLatitude='48,30N' exif:GPSLongitude='2,15W' p:City='Paris' dc:x='y'/>"
    for extended in [nil, "<d exif:GPSAltitude='35'/>", "<d dc:z='w'/>"] {
      let image = try Self.withXMP(content, extended: extended)
      let moved = try image.changingMetadata { $0.location = other }
      #expect(moved.metadata.location == other)
      let left = try text(moved)
      #expect(!left.contains("GPS") && left.contains("p:City='Paris' dc:x='y'"))
      #expect(left.contains("dc:z") == (extended?.contains("dc:z") ?? false))
      let described = try image.changingMetadata { $0.imageDescription = "x" }
      #expect(try text(described) == text(image))
    }
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
