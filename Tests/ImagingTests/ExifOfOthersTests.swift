import Foundation
import Testing

@testable import Imaging

/// What pictures say, beside what exiftool says that they say.
@Suite(
  .timeLimit(.minutes(1)), .enabled(if: Programs.exiftool != nil, "exiftool is not installed"))
struct ExifOfOthersTests {
  private static let options = ["-EXIF:all", "-GPS:all"]

  @Test(.enabled(if: SharedPictures.areThere, "the shared pictures are not beside the package"))
  func readsWhatExiftoolReads() throws {
    let names = ["cameras", "gps", "orientation"].flatMap { SharedPictures.names(in: $0) }
    let folder = try require(SharedPictures.folder)
    let all = try ExifTool.tags(of: names.map { folder.appending(path: $0).path }, Self.options)
    try #require(all.count == names.count)
    for (name, tags) in zip(names, all) {
      let metadata = try Image(SharedPictures.data(name)).metadata
      #expect(metadata.differences(to: tags) == [], "\(name)")
    }
  }

  @Test(.enabled(if: SharedPictures.areThere, "the shared pictures are not beside the package"))
  func readsWhatIsLeftOfDamagedOnes() throws {
    for name in SharedPictures.names(in: "invalid") {
      let image = try Image(SharedPictures.data(name))
      let tags = try ExifTool.tags(of: SharedPictures.data(name), Self.options)
      // Fewer tags are right, wrong ones are not.
      for (tag, value) in [("Make", image.metadata.make), ("Model", image.metadata.model)] {
        if let value { #expect(tags[tag] as? String == value, "\(name)") }
      }
      let other = try image.withOrientation(.left)
      #expect(other.orientation == .left)
    }
  }

  private static var metadata: ImageMetadata {
    var metadata = ImageMetadata()
    metadata.orientation = .rightMirrored
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660.25)
    metadata.timeZoneOffset = -(3 * 3600 + 30 * 60)
    metadata.make = "Maker"
    metadata.model = "Model 1"
    metadata.software = "CaptureKitLinux"
    metadata.imageDescription = "A bicycle"
    metadata.exposureTime = .init(1, 160)
    metadata.fNumber = .init(28, 10)
    metadata.isoSpeed = 400
    metadata.focalLength = .init(43, 10)
    metadata.location = .init(
      latitude: -33.856_784_123, longitude: 151.215_296_987, altitude: -3.5,
      timestamp: Date(timeIntervalSince1970: 1_796_031_600.5))
    return metadata
  }

  @Test(arguments: [ImageFormat.jpeg, .png])
  func writesWhatExiftoolReads(_ format: ImageFormat) throws {
    let made = Image(try Scene.bars().pixels(.bgra), metadata: Self.metadata)
    let data = try require(
      format == .jpeg ? made.jpegData(compressionQuality: 0.8) : made.pngData())
    let image = try Image(data)
    #expect(image.metadata == Self.metadata)
    #expect(image.metadata.pixelSize == PixelSize(width: 128, height: 32))
    #expect(image.metadata.differences(to: try ExifTool.tags(of: data, Self.options)) == [])
    #expect(try ExifTool.tags(of: data, ["-validate", "-warning"])["Warning"] == nil)
  }

  @Test(arguments: [ImageFormat.jpeg, .png])
  func readsWhatExiftoolWrites(_ format: ImageFormat) throws {
    let made = Image(try Scene.bars().pixels(.bgra))
    let data = try ExifTool.changed(
      require(format == .jpeg ? made.jpegData(compressionQuality: 0.8) : made.pngData()),
      "-EXIF:Orientation=6", "-EXIF:Make=Maker", "-EXIF:Model=M", "-EXIF:ExposureTime=0.01",
      "-EXIF:FNumber=2.8", "-EXIF:ISO=200", "-EXIF:FocalLength=35",
      "-EXIF:DateTimeOriginal=2026:11:30 09:41:00", "-EXIF:SubSecTimeOriginal=123",
      "-EXIF:OffsetTimeOriginal=+02:00", "-EXIF:ExifImageWidth=128", "-EXIF:ExifImageHeight=32",
      "-GPS:GPSLatitude=48.858370", "-GPS:GPSLatitudeRef=N", "-GPS:GPSLongitude=2.294481",
      "-GPS:GPSLongitudeRef=W", "-GPS:GPSAltitude=35.25", "-GPS:GPSAltitudeRef=0",
      "-GPS:GPSDateStamp=2026:11:30", "-GPS:GPSTimeStamp=07:41:00")
    let image = try Image(data)
    #expect(image.orientation == .right && image.metadata.location?.altitude == 35.25)
    #expect(image.metadata.differences(to: try ExifTool.tags(of: data, Self.options)) == [])
  }

  @Test func readsBackAnyPlace() throws {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var metadata = ImageMetadata()
      let latitude = Double(Int.random(in: -90_000_000_000...90_000_000_000, using: &numbers)) / 1e9
      let longitude =
        Double(Int.random(in: -180_000_000_000...180_000_000_000, using: &numbers)) / 1e9
      metadata.location = .init(
        latitude: latitude, longitude: longitude,
        altitude: Double(Int.random(in: -11_000_000...9_000_000, using: &numbers)) / 1000)
      let block = try metadata.exifBlock(changing: nil, size: PixelSize(width: 1, height: 1))
      #expect(ImageMetadata(readingTIFF: block.span.bytes).location == metadata.location)
    }
  }

  @Test(arguments: [
    (91.0, 0.0), (0, 180.1), (.nan, 0), (0, .infinity), (-90.0001, 0),
  ])
  func writesNoPlaceThatIsNone(_ latitude: Double, _ longitude: Double) throws {
    var metadata = ImageMetadata()
    metadata.make = "x"
    metadata.location = .init(latitude: latitude, longitude: longitude, altitude: .nan)
    let block = try metadata.exifBlock(changing: nil, size: PixelSize(width: 1, height: 1))
    #expect(ImageMetadata(readingTIFF: block.span.bytes).location == nil)
  }
}
