import Foundation
import Imaging
import TestSupport
import Testing

@testable import ImageCache

/// Tasks, thumbnails and reading ahead.
@Suite(.timeLimit(.minutes(1)))
struct StoreTasksTests {
  private let folder: TemporaryFolder
  private let store: ImageStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ImageStore(directory: folder.url, disk: .fast)
  }

  @Test func keepsReadsAndRemovesInTasks() async throws {
    try await store.storeImage(NumberedPictures.image(20), forKey: "bike")
    #expect(try await store.loadImage(forKey: "bike")?.pixelWidth == 20)
    try await store.storeEncodedData(NumberedPictures.bytes(30), forKey: "bike")
    #expect(try await store.loadEncodedData(forKey: "bike") == NumberedPictures.bytes(30))
    #expect(try await store.loadImage(forKey: "bike")?.pixelWidth == 30)
    #expect(try await store.loadKeys() == ["bike"])
    try await store.removeImage(forKey: "bike")
    #expect(try await store.loadImage(forKey: "bike") == nil)
    try await store.storeImage(NumberedPictures.image(20), forKey: "car")
    try await store.removeAllImages()
    #expect(try await store.loadKeys() == [])
    #expect(try await store.loadThumbnail(forKey: "bike", maxPixelSize: 10) == nil)
  }

  @Test func readsOnceForManyTasks() async throws {
    try store.setEncodedData(NumberedPictures.bytes(20), forKey: "bike")

    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<50 {
        group.addTask { [store] in try await store.loadImage(forKey: "bike")?.pixelWidth }
      }
      for try await width in group { #expect(width == 20) }
    }

    #expect(store.statistics.diskHits == 1)
  }

  @Test func saysThatATaskWasCancelled() async throws {
    try store.setEncodedData(NumberedPictures.bytes(20), forKey: "bike")
    let task = Task { [store] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.loadImage(forKey: "bike")
    }

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.loadImage(forKey: "bike") != nil)
  }

  @Test func tellsATaskWhatIsWrong() async throws {
    try store.setEncodedData(Data("GIF89a and no more".utf8), forKey: "bike")

    let error = await #expect(throws: ImageStoreError.self) {
      try await store.loadImage(forKey: "bike")
    }
    #expect(error?.code == .damaged)
    #expect(throws: ImageStoreError.self) {
      try store.thumbnail(forKey: "bike", maxPixelSize: 10)
    }
  }

  // MARK: - Thumbnails

  @Test func makesEachThumbnailOnce() throws {
    try store.setImage(NumberedPictures.image(200), forKey: "bike")

    let small = try #require(try store.thumbnail(forKey: "bike", maxPixelSize: 50))
    #expect(small.pixelWidth == 50)
    #expect(try store.thumbnail(forKey: "bike", maxPixelSize: 100)?.pixelWidth == 100)
    #expect(try store.thumbnail(forKey: "bike", maxPixelSize: 50) === small)
    #expect(try store.image(forKey: "bike")?.pixelWidth == 200)

    store.flushMemory()
    let reads = store.statistics.diskHits
    #expect(try store.thumbnail(forKey: "bike", maxPixelSize: 50)?.pixelWidth == 50)
    #expect(
      store.statistics.diskHits == reads, "the picture was read although its thumbnail is kept")
  }

  @Test func dropsThumbnailsWithTheirPicture() throws {
    try store.setImage(NumberedPictures.image(200), forKey: "bike")
    #expect(try store.thumbnail(forKey: "bike", maxPixelSize: 50)?.pixelHeight == 2)

    try store.setImage(NumberedPictures.grey(width: 100, height: 100), forKey: "bike")
    #expect(try store.thumbnail(forKey: "bike", maxPixelSize: 50)?.pixelHeight == 50)

    try store.deleteImage(forKey: "bike")
    #expect(try store.thumbnail(forKey: "bike", maxPixelSize: 50) == nil)
    #expect(try folder.names.filter { !$0.hasPrefix(".") } == [])
  }

  @Test(arguments: [0, -1, Int.min]) func refusesThumbnailsWithoutPixels(size: Int) async throws {
    try store.setImage(NumberedPictures.image(20), forKey: "bike")

    let error = #expect(throws: ImageStoreError.self) {
      try store.thumbnail(forKey: "bike", maxPixelSize: size)
    }

    #expect(error?.code == .failed, "nothing is damaged")
    await #expect(throws: ImageStoreError.self) {
      try await store.loadThumbnail(forKey: "car", maxPixelSize: size)
    }
    #expect(try store.image(forKey: "bike") != nil)
  }

  @Test(arguments: [20, 21, Int.max]) func doesNotEnlarge(size: Int) throws {
    try store.setImage(NumberedPictures.image(20), forKey: "bike")
    for _ in 0..<2 {
      #expect(try store.thumbnail(forKey: "bike", maxPixelSize: size)?.pixelWidth == 20)
      store.flushMemory()
    }
  }

  @Test(arguments: ["a\0b", "\0", "", "../../x", String(repeating: "long\u{e9}", count: 2500)])
  func hasPicturesAndThumbnailsOfAnyKey(key: String) throws {
    try store.setImage(NumberedPictures.image(20), forKey: key)
    try store.setImage(NumberedPictures.image(30), forKey: key + "\0")
    // Another way to write the same string.
    let same = key.decomposedStringWithCanonicalMapping
    for _ in 0..<2 {
      #expect(try store.image(forKey: same)?.pixelWidth == 20)
      #expect(try store.thumbnail(forKey: same, maxPixelSize: 10)?.pixelWidth == 10)
      #expect(try store.thumbnail(forKey: key + "\0", maxPixelSize: 10)?.pixelHeight == 3)
      #expect(store.statistics.memoryCount >= 3)
      store.flushMemory()
    }
    try store.deleteImage(forKey: same)
    #expect(try store.image(forKey: key) == nil)
    #expect(try store.thumbnail(forKey: key, maxPixelSize: 10) == nil)
    #expect(try store.keys() == [key + "\0"])
  }

  @Test func keepsWhatIsBehindAPNGsThumbnail() throws {
    let png = try #require(try NumberedPictures.grey(width: 64, height: 64).pngData())
    try store.setEncodedData(png, forKey: "bike")

    _ = try store.thumbnail(forKey: "bike", maxPixelSize: 16)
    store.flushMemory()

    #expect(try store.thumbnail(forKey: "bike", maxPixelSize: 16)?.format == .png)
  }

  // MARK: - Reading ahead

  @Test func readsAheadAndStopsWhenCancelled() async throws {
    let keys = (0..<20).map(String.init)
    for key in keys { try store.setEncodedData(NumberedPictures.bytes(20), forKey: key) }

    await store.prefetchImages(forKeys: keys + ["nobody's"]).value
    #expect(store.statistics.memoryCount == 20)
    await store.prefetchImages(forKeys: ["3"], maxPixelSize: 10).value
    #expect(store.statistics.memoryCount == 21)

    store.flushMemory()
    let task = store.prefetchImages(forKeys: Array(repeating: keys, count: 100).flatMap(\.self))
    task.cancel()
    await task.value
    #expect(store.statistics.memoryCount < 20)
  }
}
