import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct ColorProfileTests {
  /// A header, a table with a name, and bytes to be large.
  static func profile(_ space: String = "RGB ", byteCount: Int = 200, isVersion4: Bool = false)
    -> Data
  {
    var bytes = [UInt8](repeating: 0, count: max(byteCount, 200))
    bytes.replaceSubrange(0..<4, with: PNGBytes.bigEndian(bytes.count))
    bytes.replaceSubrange(16..<20, with: Array(space.utf8))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    bytes.replaceSubrange(128..<132, with: PNGBytes.bigEndian(1))
    bytes.replaceSubrange(
      132..<144, with: Array("desc".utf8) + PNGBytes.bigEndian(144) + PNGBytes.bigEndian(50))
    let name =
      isVersion4
      ? Array("mluc".utf8) + PNGBytes.bigEndian(0) + PNGBytes.bigEndian(1) + PNGBytes.bigEndian(12)
        + Array("enUS".utf8) + PNGBytes.bigEndian(6) + PNGBytes.bigEndian(28) + [
          0, 0x57, 0, 0x69, 0, 0x64,
        ]
      : Array("desc".utf8) + PNGBytes.bigEndian(0) + PNGBytes.bigEndian(4) + Array("Wid\0".utf8)
    bytes.replaceSubrange(144..<144 + name.count, with: name)
    for place in stride(from: 200, to: bytes.count, by: 1) {
      bytes[place] = UInt8(truncatingIfNeeded: place &* 2_654_435_761 >> 13)
    }
    return Data(bytes)
  }

  @Test func knowsItsNameAndWhatItsNumbersAre() throws {
    for isVersion4 in [false, true] {
      let profile = try require(ColorProfile(Self.profile(isVersion4: isVersion4)))
      #expect(profile.name == "Wid" && profile.colorSpace == "RGB" && profile.description == "Wid")
    }
  }

  @Test func takesNothingElseForAProfile() {
    #expect(ColorProfile(Data()) == nil)
    #expect(ColorProfile(Data(repeating: 0, count: 500)) == nil)
    #expect(ColorProfile(Self.profile().dropLast(1)) == nil)
    let padded = ColorProfile(Data([0]) + Self.profile())
    #expect(padded == nil)
    #expect(ColorProfile((Data([0]) + Self.profile()).dropFirst())?.name == "Wid")
    #expect(ColorProfile(Self.profile() + [1, 2, 3])?.data == Self.profile())
    for place in 128..<180 {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = Self.profile()
        damaged[place] = value
        _ = ColorProfile(damaged)?.name
      }
    }
  }

  @Test(arguments: [200, 65_519, 65_520, 300_000])
  func goesAlong(_ byteCount: Int) throws {
    let profile = try require(ColorProfile(Self.profile(byteCount: byteCount)))
    var metadata = ImageMetadata()
    metadata.make = "M"
    let made = Image(try Scene.bars().pixels(.bgra), metadata: metadata, colorProfile: profile)
    for data in [made.jpegData(compressionQuality: 0.8), made.pngData()] {
      let image = try Image(require(data))
      #expect(image.colorProfile == profile && image.metadata == metadata)
      for again in [image.jpegData(compressionQuality: 0.8), image.pngData()] {
        #expect(try Image(require(again)).colorProfile == profile)
      }
      let edited = try image.changingMetadata { $0.model = "a longer text" }
      for other in [edited, try edited.strippingLocation(), try edited.strippingAllMetadata()] {
        #expect(other.colorProfile == profile)
      }
    }
  }

  @Test func doesNotGoWhereItDoesNotFit() throws {
    for space in ["CMYK", "GRAY"] {
      let profile = try require(ColorProfile(Self.profile(space)))
      let made = Image(try Scene.bars().pixels(.bgra), colorProfile: profile)
      for data in [made.jpegData(compressionQuality: 0.8), made.pngData()] {
        #expect(try Image(require(data)).colorProfile == nil)
      }
    }
    let grey = Image(
      try Scene.greyRamp(width: 64, height: 8).pixels(.grey),
      colorProfile: ColorProfile(Self.profile("GRAY")))
    for data in [grey.jpegData(compressionQuality: 0.8), grey.pngData()] {
      #expect(try Image(require(data)).colorProfile?.colorSpace == "GRAY")
    }
  }

  /// A grey picture's profile stays with what is made of it, as long as that is grey.
  @Test(arguments: [UInt8(0), 4]) func staysWithAGreyPNG(_ colorType: UInt8) throws {
    let profile = try require(ColorProfile(Self.profile("GRAY")))
    var png = PNGBytes(width: 60, height: 40, colorType: colorType, depth: 8) { x, y, channel in
      channel == 0 ? x * 4 + y : 100 + x
    }
    png.chunks = [
      ("iCCP", Array("grey\0\0".utf8) + (try require(LibPNGBridge.deflated(profile.data))))
    ]
    let folder = try ScratchFolder()
    let url = URL(filePath: try folder.file("grey.png", png.data))
    let image = try Image(png.data)
    let made = [
      image, try image.cropped(to: PixelRect(x: 3, y: 5, width: 31, height: 22)),
      try image.rotated(by: .clockwise90), try image.mirrored(),
      try image.rotated(by: .half).cropped(to: PixelRect(x: 0, y: 0, width: 9, height: 9)),
      try image.thumbnail(maxPixelSize: 20),
      try image.resized(to: CGSize(width: 90, height: 80)).thumbnail(maxPixelSize: 33),
      try Image.thumbnail(contentsOf: url, maxPixelSize: 20),
    ]
    for (index, image) in made.enumerated() {
      #expect(image.colorProfile == profile, "\(index)")
      let data = try require(image.pngData())
      let again = try Image(data)
      // Grey, with the transparency that it had, and so the profile does not lie.
      #expect(data[25] == colorType && again.colorProfile == profile, "\(index)")
      #expect(try again.pixelBuffer().meanError(to: image.pixelBuffer()) == 0, "\(index)")
      let jpeg = try Image(require(image.jpegData(compressionQuality: 0.9)))
      #expect(try require(jpeg.encodedData).jpegHeader().componentCount == 1, "\(index)")
      #expect(jpeg.colorProfile == profile, "\(index)")
    }
  }

  @Test func staysWithAGreyJPEG() throws {
    let profile = try require(ColorProfile(Self.profile("GRAY")))
    let made = Image(
      try Scene.greyRamp(width: 90, height: 60).pixels(.grey), colorProfile: profile)
    let data = try require(made.jpegData(compressionQuality: 0.9))
    let folder = try ScratchFolder()
    let url = URL(filePath: try folder.file("grey.jpg", data))
    let image = try Image(data)
    for small in try [
      made.thumbnail(maxPixelSize: 30), image.thumbnail(maxPixelSize: 30),
      Image.thumbnail(contentsOf: url, maxPixelSize: 30),
      image.cropped(to: PixelRect(x: 3, y: 3, width: 40, height: 40)).thumbnail(maxPixelSize: 30),
    ] as [Image] {
      #expect(small.colorProfile == profile)
      let png = try require(small.pngData())
      #expect(try png[25] == 0 && Image(png).colorProfile == profile)
    }
  }

  @Test func doesNotStayWithColours() throws {
    let profile = try require(ColorProfile(Self.profile("GRAY")))
    var png = PNGBytes(width: 60, height: 40, colorType: 2, depth: 8) { x, y, c in x * (c + 1) + y }
    png.chunks = [
      ("iCCP", Array("grey\0\0".utf8) + (try require(LibPNGBridge.deflated(profile.data))))
    ]
    let image = try Image(png.data)
    for made in try [
      image.thumbnail(maxPixelSize: 20), image.rotated(by: .half),
      image.cropped(to: PixelRect(x: 3, y: 5, width: 31, height: 22)),
    ] as [Image] {
      #expect(made.colorProfile == nil)
      #expect(try require(made.pngData())[25] == 2)
    }
  }

  @Test func isNoneWhereAPartIsMissing() throws {
    let profile = try require(ColorProfile(Self.profile(byteCount: 200_000)))
    let jpeg = try require(
      Image(try Scene.bars().pixels(.bgra), colorProfile: profile).jpegData(compressionQuality: 0.8)
    )
    let segments = jpeg.jpegSegments.filter { $0.marker == 0xE2 }
    #expect(segments.count == 4)
    for segment in segments {
      var missing = jpeg
      missing.removeSubrange(segment.range)
      #expect(try Image(missing).colorProfile == nil)
    }
  }

  @Test func isNoneWhereItWouldBeHuge() throws {
    var bomb = Self.profile(byteCount: 200)
    bomb.replaceSubrange(0..<4, with: PNGBytes.bigEndian(100 << 20))
    let content = bomb + Data(count: (100 << 20) - 200)
    var png = PNGBytes(width: 4, height: 4, colorType: 2, depth: 8) { x, _, _ in x }
    png.chunks = [("iCCP", Array("bomb\0\0".utf8) + (try require(LibPNGBridge.deflated(content))))]
    #expect(try Image(png.data).colorProfile == nil)
    #expect(try Image(png.data).pixelBuffer().width == 4)
  }

  @Test(.enabled(if: Programs.exiftool != nil, "exiftool is not installed"))
  func isFoundByExiftool() throws {
    let made = Image(
      try Scene.bars().pixels(.bgra), colorProfile: ColorProfile(Self.profile(byteCount: 100_000)))
    for data in [made.jpegData(compressionQuality: 0.8), made.pngData()] {
      let tags = try ExifTool.tags(of: require(data))
      #expect(tags["ProfileDescription"] as? String == "Wid")
      #expect(tags["Warning"] == nil)
    }
  }
}
