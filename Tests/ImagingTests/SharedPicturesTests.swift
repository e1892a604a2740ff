import Foundation
import Testing

@testable import Imaging

/// Pictures of real cameras; what they say is what `exiftool` says.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: SharedPictures.areThere, "the shared pictures are not beside the package"))
struct SharedPicturesTests {
  @Test(
    arguments: [
      ("Canon_40D", "Canon", "Canon EOS 40D", 1_212_162_961.0, 100),
      ("Nikon_D70", "NIKON CORPORATION", "NIKON D70", 1_205_574_721, 200),
      ("Olympus_C8080WZ", "OLYMPUS CORPORATION", "C8080WZ", 1_161_531_869, 50),
      ("Panasonic_DMC-FZ30", "Panasonic", "DMC-FZ30", 1_216_208_000, 100),
      (
        "Samsung_Digimax_i50_MP3", "Samsung Techwin", "<Digimax i50 MP3, Samsung #1 MP3>",
        1_155_664_257, 150
      ),
    ])
  func readsWhatCamerasWrote(
    _ name: String, _ make: String, _ model: String, _ wallClock: Double, _ iso: Int
  ) throws {
    let metadata = try Image(SharedPictures.data("cameras/\(name).jpg")).metadata
    #expect(metadata.make == make)
    #expect(metadata.model == model)
    #expect(metadata.isoSpeed == iso)
    #expect(metadata.orientation == .up)
    let date = try require(metadata.dateTaken)
    let seconds = date.timeIntervalSince1970
    let zone = metadata.timeZoneOffset ?? TimeZone.current.secondsFromGMT(for: date)
    #expect((seconds + Double(zone)).rounded(.down) == wallClock)
  }

  @Test(arguments: SharedPictures.names(in: "cameras") + SharedPictures.names(in: "gps"))
  func keepsACamerasTagsInAPhoto(_ name: String) throws {
    let data = try SharedPictures.data(name)
    let before = try Image(data)
    var changes = ImageMetadata()
    changes.orientation = .right
    let photo = try Image(data.photo(changes))

    var expected = before.metadata
    expected.orientation = .right
    #expect(photo.metadata == expected)
    #expect(try photo.pixelBuffer().meanError(to: before.pixelBuffer()) == 0)
    #expect(try require(photo.encodedData).jpegSegments.filter { $0.marker == 0xE1 }.count >= 1)
  }

  @Test(arguments: ["landscape", "portrait"])
  func showsAllOrientationsAlike(_ name: String) throws {
    let first = try Image(SharedPictures.data("orientation/\(name)_1.jpg")).pixelBuffer().parts()
    for number in 1...8 {
      let data = try SharedPictures.data("orientation/\(name)_\(number).jpg")
      let image = try Image(data)
      #expect(image.orientation.rawValue == number)
      let upright = try Image(JPEGTransform.oriented(data, by: image.orientation).data)
      #expect(upright.orientation == .up)
      for pixels in [try image.orientedPixelBuffer(), try upright.pixelBuffer()] {
        // The number of the orientation is painted into the middle of the scene, and the first
        // picture is a little brighter than the others; a wrong turn differs by twice as much.
        let differences = zip(pixels.parts(), first).map { abs($0 - $1) }.sorted()
        #expect(differences[120] < 24, "\(number)")
      }
    }
  }

  @Test(arguments: SharedPictures.names(in: "invalid"))
  func survivesInvalidExif(_ name: String) throws {
    let data = try SharedPictures.data(name)
    _ = data.imageMetadata
    let photo = try data.photo(ImageMetadata())
    #expect(try Image(photo).pixelBuffer().meanError(to: Image(data).pixelBuffer()) == 0)
  }

  @Test(
    arguments: [("sample.tiff", "TIFF")] + (HEIFFiles.isBuiltIn ? [] : [("sample.heif", "HEIC")]))
  func refusesOtherKindsByName(_ file: String, _ kind: String) throws {
    let error = #expect(throws: ImagingError.self) {
      try Image(SharedPictures.data("other/\(file)"))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains(kind) == true)
  }
}
