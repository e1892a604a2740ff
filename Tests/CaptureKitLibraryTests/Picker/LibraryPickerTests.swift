import CaptureKitLinux
import CaptureKitMovie
import Foundation
import Imaging
import Testing

@testable import CaptureKitLibrary

/// The picker with a library.
@Suite(.timeLimit(.minutes(1)))
struct LibraryPickerTests {
  private let folder: PictureFolder
  private let picker = ImagePickerController()

  init() throws {
    folder = try PictureFolder()
  }

  private func fill(withMovie: Bool = true) async throws {
    try folder.put("bike.jpg", PictureFolder.jpeg(taken: 4000, width: 640, height: 480))
    try folder.put(
      "upright.jpg", PictureFolder.jpeg(taken: 3000, orientation: .right, width: 64, height: 48))
    let png = Image(try PictureFolder.pixels(30, 20)).pngData()
    try folder.put("trip/map.png", #require(png), modified: 2000)
    guard withMovie else { return }
    let movie = folder.url.appending(path: "party.mov")
    try await PlacedMovie.record(to: movie)
    PictureFolder.setModified(movie.path, 1000)
  }

  private func present(_ source: ImagePickerController.SourceType = .photoLibrary) async throws {
    picker.sourceType = source
    picker.library = try folder.library()
    try await picker.present()
    try await picker.library?.settled()
  }

  private func choice(_ name: String) async throws -> PhotoLibrary.Asset {
    let choices = try await picker.choices(range: 0..<100)
    return try #require(choices.first { $0.url.lastPathComponent == name })
  }

  // MARK: - What is offered and picked

  @Test func offersWhatItIsPresentedFor() async throws {
    try await fill()
    // The movie is of now.
    let all = ["party.mov", "bike.jpg", "upright.jpg", "trip/map.png"]
    let cases: [(ImagePickerController.SourceType, [PickerMediaType], [String])] = [
      (.photoLibrary, [.image], Array(all.dropFirst())), (.photoLibrary, [.movie], ["party.mov"]),
      (.photoLibrary, [.movie, .image], all),
      (.savedPhotosAlbum, [.image], ["bike.jpg", "upright.jpg"]),
      (.savedPhotosAlbum, [.image, .movie], ["party.mov", "bike.jpg", "upright.jpg"]),
    ]
    for (source, mediaTypes, names) in cases {
      picker.mediaTypes = mediaTypes
      try await present(source)
      #expect(picker.state == .choosing)
      #expect(picker.session == nil)
      #expect(folder.names(try await picker.choices(range: 0..<100)) == names)
      #expect(
        folder.names(try await picker.choices(range: 1..<2)) == Array(names.dropFirst().prefix(1)))
      if let album = try await picker.library?.albums().first, mediaTypes != [.movie] {
        #expect(folder.names(try await picker.choices(in: album, range: 0..<9)) == ["trip/map.png"])
      }
      picker.cancel()
      await #expect(throws: LibraryError.self) { try await picker.choices(range: 0..<1) }
    }
  }

  @Test(arguments: ["bike.jpg", "upright.jpg", "map.png", "party.mov"], [false, true])
  func picksWhatIsChosen(_ name: String, _ allowsEditing: Bool) async throws {
    try await fill(withMovie: name == "party.mov")
    picker.mediaTypes = [.image, .movie]
    picker.allowsEditing = allowsEditing
    let diary = PickerDiary()
    picker.delegate = diary
    picker.library = try folder.library()
    let outcome = PickerPromise<Result<ImagePickerController.Outcome, any Error>>()
    picker.present { outcome.resolve($0) }
    await picker.reaches { $0 == .choosing }
    try await picker.library?.settled()
    let asset = try await choice(name)
    try await picker.select(asset)
    if allowsEditing, name != "party.mov" {
      picker.editor?.setZoom(2)
      try await picker.applyEdits()
    }
    let media = try #require(try await outcome.value.get().media)

    #expect(media.asset == asset)
    #expect(media.info[.phAsset] as? PhotoLibrary.Asset == asset)
    guard name != "party.mov" else {
      #expect(media.mediaType == .movie && media.mediaURL == asset.url)
      #expect(media.originalImage == nil && media.info[.imageURL] == nil)
      let shown = try media.displayImage(fitting: CGSize(width: 80, height: 80))
      #expect(shown.size == PixelSize(width: 80, height: 60))
      return
    }
    let original = try #require(media.originalImage)
    #expect(original.encodedData == (try? Data(contentsOf: asset.url)))
    #expect(media.info[.imageURL] as? URL == asset.url && media.mediaURL == nil)
    let size = original.size
    if allowsEditing {
      let side = min(size.width, size.height) / 2
      #expect(media.editedImage?.size == PixelSize(width: side, height: side))
      #expect(media.cropRect?.size == PixelSize(width: side, height: side))
    } else {
      #expect(media.editedImage == nil)
    }
    for await entry in diary.news.stream {
      #expect(entry == .picked(.image))
      break
    }
    #expect(diary.all.count == 1)
  }

  @Test func goesBackToTheLibrary() async throws {
    try await fill(withMovie: false)
    picker.allowsEditing = true
    try await present()
    try await picker.select(try await choice("bike.jpg"))
    #expect(picker.state == .editing)
    picker.retake()
    #expect(picker.state == .choosing)
    picker.choose(try await choice("upright.jpg"))
    await picker.reaches { $0 == .editing }
    #expect(picker.editor?.imageSize == PixelSize(width: 48, height: 64))
    picker.cancel()
    #expect(picker.state == .ended(.cancelled))
  }

  // MARK: - Odd files

  @Test func staysWhereWhatIsChosenCannotBeUsed() async throws {
    try await fill()
    let jpeg = try PictureFolder.jpeg(width: 320, height: 240)
    let movie = try Data(contentsOf: folder.url.appending(path: "party.mov"))
    let odd: [(String, Data, [LibraryError.Code])] = [
      ("half.jpg", jpeg.prefix(jpeg.count / 2), [.unsupportedPicture]),
      ("text.jpg", Data("no picture at all, but long enough".utf8), [.unsupportedPicture]),
      ("empty.png", Data(), [.unsupportedPicture]),
      ("huge.png", try hugePNG(), [.tooLarge, .unsupportedPicture]),
      ("halfmovie.mov", movie.prefix(200), [.unsupportedPicture]),
      ("text.mkv", Data("no movie at all, but long enough".utf8), [.unsupportedPicture]),
    ]
    for (name, data, _) in odd { try folder.put(name, data) }
    picker.mediaTypes = [.image, .movie]
    try await present()
    for (name, _, codes) in odd {
      let choices = try await picker.choices(range: 0..<100)
      // The library may have found out before, and offer it no longer.
      guard let asset = choices.first(where: { $0.url.lastPathComponent == name }) else { continue }
      let error = await #expect(throws: LibraryError.self, "\(name)") {
        try await picker.select(asset)
      }
      #expect(
        error.map { codes.contains($0.code) } == true, "\(name): \(error?.code.description ?? "")")
      #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
      #expect(picker.state == .choosing)
      #expect((picker.lastError as? LibraryError) == error)
    }
    try await picker.select(try await choice("bike.jpg"))
    #expect(picker.state == .ended(.picked))
  }

  @Test func takesPicturesForWhatTheyAre() async throws {
    let png = try #require(Image(try PictureFolder.pixels(30, 20)).pngData())
    try folder.put("really.jpg", png)
    try await present()
    try await picker.select(try await choice("really.jpg"))
    #expect(picker.state == .ended(.picked))
  }

  @Test func saysThatWhatIsChosenIsGone() async throws {
    try await fill(withMovie: false)
    try await present()
    let asset = try await choice("bike.jpg")
    try FileManager.default.removeItem(at: asset.url)
    let error = await #expect(throws: LibraryError.self) { try await picker.select(asset) }
    #expect(error?.code == .noAsset)
    #expect(picker.state == .choosing)
  }

  @Test func refusesWhatItDoesNotOffer() async throws {
    try await fill()
    picker.mediaTypes = [.image, .movie]
    try await present()
    let movie = try await choice("party.mov")
    picker.cancel()
    picker.mediaTypes = [.image]
    try await present()
    let error = await #expect(throws: LibraryError.self) { try await picker.select(movie) }
    #expect(error?.code == .unsupportedMediaType)
    picker.takePicture()
    #expect((picker.lastError as? LibraryError)?.code == .notNow)
    picker.cameraDevice = .front
    #expect(picker.cameraDevice == .front)
  }

  /// A sound header, and far more pixels than are allowed.
  private func hugePNG() throws -> Data {
    var data = try #require(Image(try PictureFolder.pixels(2, 2)).pngData())
    data.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
    return data
  }
}
