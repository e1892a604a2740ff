import Foundation
import Testing

@testable import Imaging

/// Places where few programs would look for one.
@Suite(.timeLimit(.minutes(1)))
struct StrippingPlacesTests {
  private typealias Bytes = MetadataBoundsTests

  /// EXIF with an orientation and a latitude of 48°.
  private static func located(_ orientation: ImageOrientation = .right) throws -> [UInt8] {
    var metadata = ImageMetadata()
    metadata.orientation = orientation
    metadata.location = .init(latitude: 48.858_37, longitude: -2.294_481)
    return try metadata.exifBlock(changing: nil, size: PixelSize(width: 8, height: 8))
  }

  private static func plain() throws -> Data {
    try require(Image(Scene.bars().pixels(.bgra)).jpegData(compressionQuality: 0.5))
  }

  private static func stripped(_ data: Data) throws -> Data {
    try require(Image(data).strippingLocation().encodedData)
  }

  private func findsNothing(_ data: Data) throws {
    guard Programs.exiftool != nil else { return }
    let tags = try ExifTool.tags(of: data, ["-a", "-G1", "-ee", "-u"])
    #expect(tags.keys.filter { $0.contains("GPS") } == [])
    #expect(tags.filter { "\($0.value)".contains("Paris") }.keys.sorted() == [])
  }

  // MARK: EXIF

  @Test(arguments: [
    "\0\0Exif\0\0", "EXIF\0\0", "exif\0\0", "Exif\0", "....Exif\0\0", "Exif\0\u{1}",
  ])
  func findsEXIFWithAnOddBeginning(_ header: String) throws {
    let exif = Array(header.utf8) + (try Self.located())
    let data = try Self.plain().insertingSegment(0xE1, exif)
    let image = try Image(data)
    let stripped = try image.strippingLocation()
    #expect(stripped.orientation == image.orientation)
    try findsNothing(require(stripped.encodedData))
  }

  /// The first one counts, be it damaged; what is behind it must not come to count.
  @Test(
    arguments: [[], [1, 2, 3], Array("MM\0*\0\0\0\u{8}".utf8), Array("II*\0".utf8)] as [[UInt8]])
  func keepsTheOrientationWhereTheFirstEXIFIsDamaged(_ first: [UInt8]) throws {
    let name = Array("Exif\0\0".utf8)
    let data = try Self.plain().insertingSegment(0xE1, name + Self.located())
      .insertingSegment(0xE1, name + first)
    var png = PNGBytes(width: 4, height: 4, colorType: 0, depth: 8) { x, _, _ in x }
    png.chunks = [("eXIf", first), ("eXIf", try Self.located())]
    for file in [data, png.data] {
      let image = try Image(file)
      #expect(try image.strippingLocation().orientation == image.orientation)
      #expect(try image.strippingAllMetadata().orientation == image.orientation)
      #expect(try image.settingMetadata(ImageMetadata()).metadata.isEmpty)
      try findsNothing(Self.stripped(file))
    }
  }

  @Test(arguments: [(0x83BB, 7), (0x8649, 7), (0x02BC, 1), (0x87AF, 3), (0x9C9C, 1), (0x0131, 2)])
  func leavesNoOtherTagThatNamesAPlace(_ tag: Int, _ type: Int) throws {
    let value = Array("GPS Paris 48 N\0\0".utf8)
    let wide = tag == 0x9C9C ? value.flatMap { [$0, 0] } : value
    let count = type == 3 ? wide.count / 2 : wide.count
    let block = Bytes.tiff([(0x0112, 3, 1, 6), (tag, type, count, 38)], wide)
    for file in [try Bytes.jpeg(exif: block), Bytes.png(exif: block)] {
      let data = try Self.stripped(file)
      #expect(data.range(of: Data(wide.prefix(8))) == nil)
      #expect(try Image(data).orientation == .right)
    }
  }

  /// A location's directory behind the thumbnail's or the EXIF one, where no program of sense has
  /// it.
  @Test(arguments: [false, true])
  func leavesNoLocationBehindOtherDirectories(_ isThumbnails: Bool) throws {
    let other = 8 + 6 + 12 * 2
    let location = other + 6 + 12
    let text = Array("48.85 degrees north\0".utf8)
    let directories =
      Bytes.directory([(0x8825, 4, 1, location)])
      + Bytes.directory([(0x1B, 7, text.count, location + 18)]) + text
    let block = Bytes.tiff(
      [(0x0112, 3, 1, 6), isThumbnails ? (0x0100, 3, 1, 1) : (0x8769, 4, 1, other)],
      next: isThumbnails ? other : 0, directories)
    for file in [try Bytes.jpeg(exif: block), Bytes.png(exif: block)] {
      let data = try Self.stripped(file)
      #expect(data.range(of: Data("48.85".utf8)) == nil)
      #expect(try Image(data).orientation == .right)
      try findsNothing(data)
    }
  }

  @Test func dropsASecondEXIFChunk() throws {
    var png = PNGBytes(width: 4, height: 4, colorType: 0, depth: 8) { x, _, _ in x }
    png.chunks = [("eXIf", try Self.located()), ("eXIf", try Self.located(.left))]
    let data = try Self.stripped(png.data)
    #expect(data.pngChunks.filter { $0.type == "eXIf" }.count == 1)
    #expect(try Image(data).orientation == .right)
    try findsNothing(data)
  }

  @Test func dropsEXIFWithDirectoriesThatItDoesNotKnow() throws {
    let inner = 8 + 6 + 12 * 2
    let location = Bytes.directory([(1, 2, 2, 0x4E), (2, 2, 20, inner + 18)])
    let block = Bytes.tiff(
      [(0x0112, 3, 1, 6), (0x014A, 4, 1, inner)], location + Array("48.85 degrees north\0".utf8))
    let data = try Self.stripped(Bytes.jpeg(exif: block))
    #expect(data.range(of: Data("48.85".utf8)) == nil)
    #expect(try Image(data).orientation == .right)
  }

  @Test(arguments: ["Paris", "---"])
  func dropsAMakerNoteThatNamesAPlace(_ name: String) throws {
    let exif = 8 + 6 + 12 * 2
    let note = exif + 6 + 12
    let value = note + 12 + 6 + 12
    let text = Array(name.utf8) + [UInt8](repeating: 0, count: 64 - name.utf8.count)
    let block = Bytes.tiff(
      [(0x0112, 3, 1, 6), (0x8769, 4, 1, exif)],
      Bytes.directory([(0x927C, 7, 12 + 18 + 64, note)]) + Array("Panasonic\0\0\0".utf8)
        + Bytes.directory([(0x67, 7, 64, value)]) + text)
    let data = try Self.stripped(Bytes.jpeg(exif: block))
    #expect((data.range(of: Data("Panasonic".utf8)) == nil) == (name == "Paris"))
    try findsNothing(data)
  }

  // MARK: Segments and chunks

  @Test(arguments: [UInt8(0xE1), 0xE3, 0xE7, 0xE9, 0xEB, 0xEC, 0xEE, 0xEF])
  func dropsSegmentsThatItDoesNotKnow(_ marker: UInt8) throws {
    let data = try Self.plain().insertingSegment(marker, Array("Vendor's Paris".utf8))
    let stripped = try Self.stripped(data)
    #expect(stripped.range(of: Data("Paris".utf8)) == nil)
    #expect(stripped.isWholeJPEG && stripped.jpegScans == data.jpegScans)
  }

  @Test(arguments: ["zxIf", "caBX", "prVt", "meTa"])
  func dropsChunksThatItDoesNotKnow(_ type: String) throws {
    var png = PNGBytes(width: 4, height: 4, colorType: 0, depth: 8) { x, _, _ in x }
    png.chunks = [
      (type, Array("Paris".utf8)), ("tEXt", Array("Location\0Paris".utf8)),
      ("tEXt", Array("xmp\0<x photoshop:City='Paris'/>".utf8)),
      ("pHYs", [0, 0, 0, 1, 0, 0, 0, 1, 0]),
    ]
    let chunks = try Self.stripped(png.data).pngChunks.map(\.type)
    #expect(chunks == ["IHDR", "pHYs", "IDAT", "IEND"])
  }

  @Test func dropsWhatNoDecoderReadsInAScan() throws {
    let data = try Self.plain()
    let second = try Self.plain().insertingSegment(0xE1, Array("Exif\0\0".utf8) + Self.located())
    // Before the end marker: a segment, and another picture from its start marker on.
    for foreign in [Data([0xFF, 0xFE, 0, 7]) + Data("Paris".utf8), second.dropLast(2)] {
      let file = data.dropLast(2) + foreign + Data([0xFF, 0xD9])
      let image = try Image(Data(file))
      for stripped in [try image.strippingLocation(), try image.strippingAllMetadata()] {
        let bytes = try require(stripped.encodedData)
        #expect(bytes.jpegScans == data.jpegScans)
        let pixels = try Image(bytes).pixelBuffer()
        #expect(try pixels.meanError(to: Image(data).pixelBuffer()) == 0)
      }
    }
  }

  @Test func dropsTheSegmentThatAProgressivePictureStopsIn() throws {
    let whole = StoredPictures.progressive
    let second = try require(
      whole.range(of: Data([0xFF, 0xDA]), in: whole.count / 2..<whole.count))
    for marker in [0xFE, 0xE1, 0xE5] as [UInt8] {
      for end in [[], [0xFF, 0xD9]] as [[UInt8]] {
        let cut =
          whole.prefix(second.lowerBound) + Data([0xFF, marker, 1, 0]) + Data("GPS Paris".utf8)
          + Data(end)
        let image = try Image(Data(cut))
        let stripped = try require(image.strippingLocation().encodedData)
        #expect(stripped.range(of: Data("Paris".utf8)) == nil)
        #expect(code { try image.strippingAllMetadata() } == .incomplete)
      }
    }
  }

  // MARK: XMP

  @Test(arguments: [
    "xmpDM:shotLocation", "prism:location", "dc:coverage", "photoshop:State", "photoshop:Country",
    "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationShown",
    "Iptc4xmpExt:LocationCreated", "Iptc4xmpExt:Sublocation", "drone-dji:GpsLongtitude",
    "drone-dji:Latitude", "geo:lat", "georss:point", "dwc:decimalLongitude", "dcterms:spatial",
    "Iptc4xmpExt:WorldRegion", "Iptc4xmpExt:ProvinceState", "mediapro:location",
  ])
  func takesTheNameOutOfXMP(_ name: String) throws {
    for packet in [
      "<d \(name)='Paris' dc:format='f'/>",
      "<d><\(name)>Paris</\(name)><dc:format>f</dc:format></d>",
      "<d><\(name)><rdf:li x='Paris'/></\(name)><a dc:format='f'/></d><!-- Paris -->",
    ] {
      let stripped = try require(XMPPacket.without(.places, Array(packet.utf8)))
      let text = String(decoding: stripped, as: UTF8.self)
      #expect(stripped.count == packet.utf8.count)
      #expect(!text.contains("Paris") && text.contains("dc:format"), "\(text)")
    }
    let open = "<d><\(name)>Paris"
    #expect(XMPPacket.without(.places, Array(open.utf8)) == nil)
  }

  @Test(arguments: [
    "exifEX:LensModel", "exif:SubjectLocation", "mwg-rs:Regions", "dc:title", "xmlns:geo", "Rating",
  ])
  func leavesOtherNamesInXMP(_ name: String) {
    // Three letters within a number to the base of 64 are no word.
    let packet = Array("<d \(name)='AbgpsZ/x'/>\0".utf8)
    #expect(XMPPacket.without(.places, packet) == packet)
  }

  // MARK: As exiftool sees it

  @Test(.enabled(if: Programs.exiftool != nil, "exiftool is not installed"))
  func leavesNoParisThatExiftoolCanWrite() throws {
    let names = [
      "XMP-xmpDM:ShotLocation", "XMP-prism:Location", "XMP-dc:Coverage", "XMP-iptcCore:Location",
      "XMP-photoshop:City", "XMP-photoshop:State", "XMP-photoshop:Country",
      "XMP-iptcCore:CountryCode", "XMP-iptcExt:LocationShownCity",
      "XMP-iptcExt:LocationShownSublocation",
      "XMP-iptcExt:LocationCreatedWorldRegion", "XMP-iptcExt:LocationCreatedProvinceState",
      "XMP-iptcExt:LocationCreatedLocationName", "XMP-mediapro:Location", "XMP-dwc:Country",
      "XMP-dwc:Locality", "IPTC:City", "IPTC:Sub-location", "IPTC:Province-State",
      "IPTC:Country-PrimaryLocationName", "IPTC:ContentLocationName", "GPS:GPSAreaInformation",
      "GPS:GPSProcessingMethod", "EXIF:GPSMapDatum",
    ]
    for plain in [try Self.plain(), try require(Image(Scene.bars().pixels(.bgra)).pngData())] {
      let folder = try ScratchFolder()
      let path = try folder.file("picture", plain)
      _ = try Programs.run(
        Programs.exiftool,
        ["-overwrite_original", "-m", "-GPS:GPSLatitude=48.5", "-XMP:GPSLatitude=48.5"]
          + names.map { "-\($0)=Paris" } + [path])
      let file = try Data(contentsOf: URL(filePath: path))
      let before = try ExifTool.tags(of: file, ["-a", "-G1"])
      #expect(before.values.count { "\($0)".contains("Paris") } >= 15)
      let data = try Self.stripped(file)
      try findsNothing(data)
      #expect(data.range(of: Data("Paris".utf8)) == nil)
      #expect(try ExifTool.tags(of: data, ["-validate", "-warning"])["Warning"] == nil)
    }
  }
}
