import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct StrippingTests {
  private static var metadata: ImageMetadata {
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.make = "Maker"
    metadata.location = .init(
      latitude: 48.858_37, longitude: -2.294_481, altitude: 35.25,
      timestamp: Date(timeIntervalSince1970: 1_796_031_600))
    return metadata
  }

  private static func files() throws -> [Data] {
    let made = Image(try Scene.bars().pixels(.bgra), metadata: metadata)
    return [try require(made.jpegData(compressionQuality: 0.8)), try require(made.pngData())]
  }

  @Test func leavesNothingOfTheLocation() throws {
    for file in try Self.files() {
      let image = try Image(file)
      let stripped = try image.strippingLocation()
      var expected = Self.metadata
      expected.location = nil
      #expect(stripped.metadata == expected)
      let data = try require(stripped.encodedData)
      #expect(data.count == file.count)
      // Degrees, minutes and seconds of both coordinates, as EXIF writes them.
      for degrees in [48.858_37, 2.294_481] {
        let fractions = ImageMetadata.Location.fractions(ofDegrees: degrees)
        let last = try require(fractions.last).numerator
        let bytes = Data((0..<4).map { UInt8(truncatingIfNeeded: last >> (8 * UInt32($0))) })
        #expect(data.range(of: bytes) == nil)
        #expect(file.range(of: bytes) != nil)
      }
      #expect(data.range(of: Data("2026:11:3".utf8)) == nil)
      #expect(try stripped.pixelBuffer().meanError(to: image.pixelBuffer()) == 0)
      #expect(try image.changingMetadata { $0.location = nil }.encodedData == data)
    }
  }

  @Test func takesTheLocationOutOfXMP() throws {
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- <GPS> --><rdf:RDF><rdf:Description exif:Make="M"
      exif:GPSLatitude="48,51.5N" exif:GPSLongitude='2,17.6W' dc:format="a > b">
      <exif:GPSAltitude>3525/100</exif:GPSAltitude><exif:GPSNote/>
      <Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li City="Paris"/></rdf:Bag></Iptc4xmpExt:LocationCreated>
      <dc:title>Tower</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
      """.replacing("<!-- <GPS> -->", with: "<!-- > -->")
    let stripped = try require(XMPPacket.without(.places, Array(xmp.utf8)))
    let text = String(decoding: stripped, as: UTF8.self)
    #expect(stripped.count == xmp.utf8.count)
    for word in ["GPS", "48,51", "2,17", "3525", "Paris", "Location"] {
      #expect(!text.contains(word))
    }
    #expect(XMPPacket.without(.places, Array("<a photoshop:City='Paris'".utf8)) == nil)
    for word in ["exif:Make=\"M\"", "dc:format=\"a > b\"", "<dc:title>Tower</dc:title>"] {
      #expect(text.contains(word))
    }
  }

  @Test(
    arguments: [
      "<a exif:GPSLatitude='1", "<exif:GPSLatitude>1</exif:Other>", "<!-- GPSLatitude", "<?GPS",
      "e\0x\0i\0f\0:\0G\0P\0S\0", "text GPS <a/>", "<a b='latitude'/>",
    ])
  func dropsXMPThatItDoesNotUnderstand(_ packet: String) {
    #expect(XMPPacket.without(.places, Array(packet.utf8)) == nil)
  }

  @Test func dropsWhatElseSpeaksOfALocation() throws {
    let file = try Self.files()[0]
      .insertingSegment(0xFE, Array("GPS: 48.85 N".utf8))
      .insertingSegment(0xE5, Array("Vendor gpsLatitude".utf8))
      .insertingSegment(0xE2, Array("MPF\0offsets".utf8))
      .insertingSegment(0xFE, Array("harmless".utf8))
      .insertingSegment(0xE4, Array("Vendor".utf8))
    let behind = file + (try Self.files()[0])
    let data = try require(Image(behind).strippingLocation().encodedData)
    #expect(data.jpegContents(of: 0xFE) == [Data("harmless".utf8)])
    // Nobody knows what other segments of applications say.
    for marker in [0xE2, 0xE4, 0xE5] as [UInt8] { #expect(data.jpegContents(of: marker).isEmpty) }
    #expect(data.suffix(2) == Data([0xFF, 0xD9]) && data.count < file.count)
    #expect(try Image(data).location == nil)
  }

  private static func resource(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0, 0]
      + PNGBytes.bigEndian(bytes.count) + bytes + (bytes.count & 1 == 1 ? [0] : [])
  }

  private static func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
    [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private static func stripped(resources: [UInt8]) throws -> [Data] {
    let file = try files()[0].insertingSegment(0xED, Array("Photoshop 3.0\0".utf8) + resources)
    return try require(Image(file).strippingLocation().encodedData).jpegContents(of: 0xED)
  }

  @Test func takesCopiesOutOfPhotoshopsResources() throws {
    let kept =
      Self.resource(0x0404, Self.dataset(25, "key")) + Self.resource(0x03ED, [4, 5])
      + Self.resource(0x0425, [1])
    let contents = try Self.stripped(
      resources: Self.resource(0x0422, [9, 9, 9]) + kept + Self.resource(0x0424, [8]) + [0, 0])
    #expect(contents == [Data(Array("Photoshop 3.0\0".utf8) + kept + [0, 0])])
  }

  @Test func takesPlacesOutOfIPTC() throws {
    let (first, last) = (Self.dataset(25, "key"), Self.dataset(120, "odd"))
    let places = [26, 27, 90, 92, 95, 100, 101].flatMap { Self.dataset($0, "Paris") }
    let long = [0x1C, 2, 90, 0x80, 4, 0, 0, 0, 3] + Array("Rom".utf8)
    let contents = try Self.stripped(
      resources: Self.resource(0x0404, first + places + long + last + Array("Rest".utf8))
        + Self.resource(0x0425, [1]) + Self.resource(0x0404, places))
    let expected = Self.resource(0x0404, first + last)
    #expect(contents == [Data(Array("Photoshop 3.0\0".utf8) + expected)])
  }

  @Test(arguments: ["GPS", "8BIM\u{4}\u{4}\0\0\0\0\0\u{9}\u{1C}", "ris and so on"])
  func dropsResourcesThatItDoesNotUnderstand(_ text: String) throws {
    let whole = Self.resource(0x0422, [9]) + Self.resource(0x03ED, Array("a GPS".utf8))
    #expect(try Self.stripped(resources: text == "GPS" ? whole : Array(text.utf8)) == [])
  }

  @Test(arguments: [
    ("photoshop:City=\"Paris\"", 0), ("dc:title=\"City\"", 2), ("exif:GPS=\"\"", 0),
  ])
  func dropsExtendedXMPThatNamesAPlace(_ attribute: String, _ kept: Int) throws {
    let text = Array("<rdf:Description \(attribute)/>".utf8)
    func part(_ range: Range<Int>) -> [UInt8] {
      Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 32)
        + PNGBytes.bigEndian(text.count) + PNGBytes.bigEndian(range.lowerBound) + text[range]
    }
    let packet = "http://ns.adobe.com/xap/1.0/\0<x xmpNote:HasExtendedXMP='A'/>"
    // The name is cut in two; the part that begins it comes last in the file.
    let file = try Self.files()[0]
      .insertingSegment(0xE1, part(0..<28)).insertingSegment(0xE1, part(28..<text.count))
      .insertingSegment(0xE1, Array(packet.utf8))
    let data = try require(Image(file).strippingLocation().encodedData)
    let contents = data.jpegContents(of: 0xE1)
    #expect(contents.count { $0.range(of: Data("/extension/".utf8)) != nil } == kept)
    #expect(contents.contains { $0.range(of: Data("HasExtendedXMP".utf8)) != nil } == (kept > 0))
  }

  @Test func leavesNothingButPixels() throws {
    for file in try Self.files() {
      let image = try Image(file)
      let stripped = try image.strippingAllMetadata()
      var expected = ImageMetadata()
      expected.orientation = .right
      #expect(stripped.metadata == expected && stripped.metadata.pixelSize == nil)
      let data = try require(stripped.encodedData)
      #expect(data.range(of: Data("Maker".utf8)) == nil)
      #expect(try stripped.orientedPixelBuffer().meanError(to: image.orientedPixelBuffer()) == 0)
      let upright = try image.withOrientation(.up).strippingAllMetadata()
      #expect(try require(upright.encodedData).count < data.count)
      #expect(upright.metadata.isEmpty)
      #expect(upright.encodedData?.range(of: Data([0x49, 0x49, 42, 0])) == nil)
    }
  }

  @Test func leavesNothingBetweenScans() throws {
    let file = StoredPictures.progressive
    let scans = file.count - file.jpegScans.count
    let second = try require(
      file.range(of: Data([0xFF, 0xDA]), in: scans + 2..<file.count)
    ).lowerBound
    func comment(_ text: String) -> [UInt8] {
      [0xFF, 0xFE, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8)
    }
    var talkative = file
    talkative.insert(contentsOf: comment("GPS 48.85 N") + comment("harmless"), at: second)
    let image = try Image(talkative)
    #expect(
      try image.strippingAllMetadata().encodedData == Image(file).strippingAllMetadata().encodedData
    )
    var expected = file
    expected.insert(contentsOf: comment("harmless"), at: second)
    #expect(try image.strippingLocation().encodedData == expected)
    #expect(try image.withOrientation(.left).encodedData?.range(of: Data("48.85".utf8)) != nil)
  }

  @Test func keepsWhatAPNGIsShownBy() throws {
    var png = PNGBytes(width: 4, height: 4, colorType: 3, depth: 8) { x, _, _ in x % 2 }
    png.chunks = [
      ("gAMA", PNGBytes.bigEndian(45_455)), ("PLTE", [1, 2, 3, 4, 5, 6]), ("tRNS", [7]),
      ("tEXt", Array("Author\0me".utf8)), ("tIME", [7, 234, 11, 30, 9, 41, 0]),
      ("prVt", [1, 2, 3]), ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)),
    ]
    let stripped = try Image(png.data).strippingAllMetadata()
    let types = try require(stripped.encodedData).pngChunks.map(\.type)
    #expect(types == ["IHDR", "gAMA", "PLTE", "tRNS", "IDAT", "IEND"])
    #expect(try stripped.pixelBuffer().bgra(0, 0) == [3, 2, 1, 7])
  }

  @Test func takesTheLocationOutOfPNGsTexts() throws {
    let xmp = "<x exif:GPSLatitude='48,5N' dc:title='t'/>"
    let compressed = [UInt8](try require(LibPNGBridge.deflated(Data(xmp.utf8))))
    let keyword = Array("XML:com.adobe.xmp".utf8)
    for content in [
      keyword + [0, 0, 0, 0, 0] + Array(xmp.utf8), keyword + [0, 1, 0, 0, 0] + compressed,
    ] {
      var png = PNGBytes(width: 4, height: 4, colorType: 0, depth: 8) { x, _, _ in x }
      png.chunks = [
        ("iTXt", content), ("tEXt", Array("Comment\0gps 48".utf8)),
        ("zTXt", Array("Raw profile type exif\0\0".utf8) + compressed),
        ("zTXt", Array("Damaged\0\0".utf8) + compressed.dropLast(5)),
        ("tEXt", Array("Title\0harmless".utf8)),
      ]
      let chunks = try require(Image(png.data).strippingLocation().encodedData).pngChunks
      #expect(chunks.map(\.type) == ["IHDR", "iTXt", "tEXt", "IDAT", "IEND"])
      #expect(chunks[2].content == Data("Title\0harmless".utf8))
      let text = String(decoding: chunks[1].content, as: UTF8.self)
      #expect(!text.contains("GPS") && text.hasSuffix("dc:title='t'/>"))
    }
  }
}

// MARK: - As exiftool sees it

extension StrippingTests {
  @Test(.enabled(if: Programs.exiftool != nil, "exiftool is not installed"))
  func leavesNothingThatExiftoolFinds() throws {
    for plain in try Self.files() {
      let file = try ExifTool.changed(
        plain, "-XMP:GPSLatitude=48.5", "-XMP:GPSLongitude=2.5", "-XMP:GPSAltitude=35",
        "-XMP-photoshop:City=Paris", "-XMP-dc:Title=Tower", "-EXIF:Artist=Somebody",
        "-XMP-iptcExt:LocationCreatedCity=Paris", "-IPTC:City=Paris", "-IPTC:Sub-location=Tower",
        "-IPTC:Province-State=France", "-IPTC:Country-PrimaryLocationName=France",
        "-IPTC:Country-PrimaryLocationCode=FRA", "-IPTC:ContentLocationName=Paris",
        "-IPTC:ContentLocationCode=FRA", "-IPTC:Keywords=bicycle")
      let image = try Image(file)
      let found = try ExifTool.tags(of: file, ["-a", "-G1"]).keys
      #expect(found.filter { $0.contains("GPS") }.count > 5)

      let stripped = try require(image.strippingLocation().encodedData)
      let left = try ExifTool.tags(of: stripped, ["-a", "-G1", "-warning", "-all:all"])
      let places = ["GPS", "City", "ocation", "State", "Country"]
      #expect(left.keys.filter { tag in places.contains { tag.contains($0) } } == [])
      if image.format == .jpeg { #expect(left["IPTC:Keywords"] as? String == "bicycle") }
      #expect(left.keys.contains("XMP-dc:Title") && left.keys.contains("IFD0:Artist"))
      #expect(left["ExifTool:Warning"] == nil)

      let bare = try require(image.strippingAllMetadata().encodedData)
      let groups = try ExifTool.tags(of: bare, ["-a", "-G1", "-all:all"]).keys.filter { tag in
        ["IFD", "XMP", "GPS", "ExifIFD", "IPTC"].contains { tag.hasPrefix($0) }
      }
      #expect(groups.filter { $0 != "IFD0:Orientation" } == [])
    }
  }

  @Test(
    .enabled(
      if: SharedPictures.areThere && Programs.exiftool != nil, "no shared pictures, or no exiftool"),
    arguments: SharedPictures.names(in: "gps") + SharedPictures.names(in: "cameras"))
  func takesTheLocationOutOfCamerasPictures(_ name: String) throws {
    let file = try SharedPictures.data(name)
    let stripped = try require(Image(file).strippingLocation().encodedData)
    let options = ["-a", "-G1", "-EXIF:all", "-GPS:all", "-MakerNotes:all", "-XMP:all"]
    let before = try ExifTool.tags(of: file, options)
    let after = try ExifTool.tags(of: stripped, options)
    #expect(after.keys.filter { $0.contains("GPS") } == [])
    let names = ["City", "State", "Country", "CountryCode", "Location"]
    for (tag, value) in before where !tag.contains("GPS") && tag != "SourceFile" {
      if names.contains(where: { tag.hasSuffix(":\($0)") }) { continue }
      #expect("\(after[tag] ?? "nothing")" == "\(value)", "\(tag)")
    }
  }
}

extension Image {
  fileprivate var location: ImageMetadata.Location? { metadata.location }
}
