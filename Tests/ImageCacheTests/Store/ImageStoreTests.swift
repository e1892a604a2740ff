import Foundation
import Imaging
import TestSupport
import Testing

@testable import ImageCache
@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct ImageStoreTests {
  private let folder: TemporaryFolder
  private let store: ImageStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ImageStore(directory: folder.url)
  }

  /// A picture without bytes of its own: one shade of grey.
  private func picture(_ shade: UInt8 = 128) throws -> Image {
    let layout = try #require(PixelLayout(format: .grey, width: 32, height: 16))
    let bytes = [UInt8](repeating: shade, count: 32 * 16)
    return Image(try #require(PixelBuffer(layout: layout, bytes: bytes)))
  }

  /// JPEG bytes as a camera sends them, which differ for different shades.
  private func cameraBytes(_ shade: UInt8 = 128) throws -> Data {
    try #require(try picture(shade).jpegData(compressionQuality: 0.5))
  }

  /// What a person sees in the folder.
  private func pictureNames() throws -> [String] {
    try folder.names.filter { !$0.hasPrefix(".") }
  }

  @Test func keepsTheCamerasBytesAsTheyAre() throws {
    let bytes = try cameraBytes()

    try store.setImage(Image(bytes), forKey: "bike")

    #expect(try Data(contentsOf: store.imageURL(forKey: "bike")) == bytes)
    #expect(try store.image(forKey: "bike")?.encodedData == bytes)
  }

  @Test func keepsAPNGAsItIs() throws {
    let bytes = try #require(try picture().pngData())

    try store.setImage(Image(bytes), forKey: "bike")

    let kept = try #require(try store.image(forKey: "bike"))
    #expect(kept.encodedData == bytes && kept.format == .png)
    #expect(try pictureNames() == ["bike.jpg"])
  }

  @Test func encodesAPictureThatHasNoBytes() throws {
    try store.setImage(picture(), forKey: "bike")

    let bytes = try Data(contentsOf: store.imageURL(forKey: "bike"))
    #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(try store.image(forKey: "bike")?.encodedData == bytes)
  }

  @Test func replacesAPicture() throws {
    for shade: UInt8 in [10, 200] {
      try store.setImage(Image(cameraBytes(shade)), forKey: "bike")
    }

    #expect(try store.image(forKey: "bike")?.encodedData == cameraBytes(200))
    #expect(try pictureNames() == ["bike.jpg"])
  }

  @Test func findsNothingUnderAKeyWithoutAPicture() throws {
    #expect(try store.image(forKey: "bike") == nil)
  }

  @Test func deletesAtOnceAndAnyNumberOfTimes() throws {
    try store.setImage(picture(), forKey: "bike")

    try store.deleteImage(forKey: "bike")
    #expect(try store.image(forKey: "bike") == nil)
    #expect(try pictureNames() == [])

    try store.deleteImage(forKey: "bike")
  }

  @Test func keepsPicturesForTheNextOpening() throws {
    try store.setImage(Image(cameraBytes()), forKey: "bike")

    let next = try ImageStore(directory: folder.url)

    #expect(try next.image(forKey: "bike")?.encodedData == cameraBytes())
    #expect(next.imageURL(forKey: "bike") == store.imageURL(forKey: "bike"))
  }

  @Test func putsEveryKeyIntoItsOwnFileWithinTheFolder() throws {
    let keys = [
      "a", "A", "../a", "/etc/passwd", "", ".", "..", String(repeating: "long", count: 999),
    ]
    for (number, key) in keys.enumerated() {
      try store.setImage(Image(cameraBytes(UInt8(number * 20))), forKey: key)
    }

    for (number, key) in keys.enumerated() {
      #expect(try store.image(forKey: key)?.encodedData == cameraBytes(UInt8(number * 20)))
      let url = store.imageURL(forKey: key)
      #expect(url.deletingLastPathComponent().path == folder.url.path)
      #expect(url.pathExtension == "jpg")
    }
    #expect(try pictureNames().count == keys.count)
  }

  // MARK: - Trouble

  @Test func makesItsFolderAnew() throws {
    let deep = folder.url.appending(path: "a/b")
    let store = try ImageStore(directory: deep)
    try FileManager.default.removeItem(at: folder.url.appending(path: "a"))
    #expect(try store.image(forKey: "bike") == nil)

    try store.setImage(picture(), forKey: "bike")

    #expect(try store.image(forKey: "bike") != nil)
  }

  @Test func saysThatWhatWasKeptCannotBeDecoded() throws {
    try store.setEncodedData(Data("GIF89a and no more".utf8), forKey: "bike")

    let error = #expect(throws: ImageStoreError.self) { try store.image(forKey: "bike") }

    #expect(error?.code == .damaged)
    #expect(error?.description.contains("bike.jpg") == true)
    #expect(try pictureNames() == ["bike.jpg"])
  }

  @Test func keepsEncodedDataAsItIs() throws {
    let bytes = try cameraBytes()

    try store.setEncodedData(bytes, forKey: "bike")

    #expect(try store.encodedData(forKey: "bike") == bytes)
    #expect(try store.image(forKey: "bike")?.encodedData == bytes)
    #expect(try store.keys() == ["bike"])
    let error = #expect(throws: ImageStoreError.self) {
      try store.setEncodedData(Data("no picture".utf8), forKey: "bike")
    }
    #expect(error?.code == .notAPicture)
    #expect(try store.encodedData(forKey: "bike") == bytes)
    try store.removeAll()
    #expect(try store.encodedData(forKey: "bike") == nil)
  }

  @Test(arguments: [true, false])
  func namesTheVariableThatMovesTheProgramsOwnFolder(isPrivate: Bool) throws {
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)

    let error = #expect(throws: ImageStoreError.self) {
      try DiskTier(url: file.appending(path: "images"), isPrivate: isPrivate)
    }

    #expect(error?.description.hasSuffix(", or set XDG_DATA_HOME.") == isPrivate)
  }

  @Test func namesAFileOnceAndEndsItsSentence() {
    let failure = FileFailure(call: "mkdir", path: "/a/b", errno: .accessDenied)

    let error = ImageStoreError(failure, doing: "It could not be made", or: "set X")

    #expect(
      error.description
        == "It could not be made at /a/b: Permission denied (mkdir); "
        + "check who owns it and its folder, or set X.")
    #expect(ImageStoreError(.failed, "It failed").description == "It failed.")
    #expect(ImageStoreError(.failed, "It failed.").description == "It failed.")
  }

  @Test func reportsAPictureThatCannotBeReadInsteadOfMissingIt() throws {
    try FileManager.default.createDirectory(
      at: store.imageURL(forKey: "bike"), withIntermediateDirectories: true)

    let error = #expect(throws: ImageStoreError.self) { try store.image(forKey: "bike") }

    #expect(error?.code == .failed)
    #expect(error?.errno == 21)
  }

  @Test func refusesAFolderThatIsAFile() throws {
    let url = folder.url.appending(path: "file")
    try Data().write(to: url)

    let error = #expect(throws: ImageStoreError.self) { try ImageStore(directory: url) }

    #expect(error?.errno == 20)
    #expect(throws: ImageStoreError.self) {
      try ImageStore(directory: #require(URL(string: "https://example.org/")))
    }
  }

  @Test func readersSeeWholePicturesOnly() async throws {
    let pictures = try (0..<4).map { try cameraBytes(UInt8($0 * 60)) }
    try store.setImage(Image(pictures[0]), forKey: "bike")

    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { [store] in
          try store.setImage(Image(pictures[number % 4]), forKey: "bike")
          let bytes = try store.image(forKey: "bike")?.encodedData
          #expect(bytes.map(pictures.contains) == true)
        }
      }
      try await group.waitForAll()
    }

    #expect(try pictureNames() == ["bike.jpg"])
  }
}
