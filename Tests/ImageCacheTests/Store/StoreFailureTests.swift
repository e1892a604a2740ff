import Foundation
import TestSupport
import Testing

@testable import ImageCache

/// Changes that fail, also in their middle: what memory has is on the disk all the same.
@Suite(.timeLimit(.minutes(1)))
struct StoreFailureTests {
  private let folder: TemporaryFolder
  private let store: ImageStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ImageStore(directory: folder.url, disk: .fast)
  }

  @Test func forgetsWhatIsGoneThoughDeletingFailed() throws {
    // Without a watch of the folder, which would soon tell.
    let tiers = StoreTiers(
      memory: PictureMemory(.init()), disk: try DiskTier(url: folder.url, options: .fast))
    for key in ["bike", "car"] {
      try tiers.keep(NumberedPictures.bytes(20), as: NumberedPictures.image(20), forKey: key)
    }
    // A side record that cannot be deleted: by then the picture is.
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: ".imagestore/records/bike.jpg"),
      withIntermediateDirectories: true)

    #expect(throws: ImageStoreError.self) { try tiers.delete("bike") }

    #expect(tiers.memory.statistics.count == 1)
    #expect(try tiers.load(.init(key: "bike")) == nil)
    #expect(try tiers.load(.init(key: "car")) != nil)
  }

  @Test func forgetsAllWhereNotAllCouldBeDeleted() throws {
    for number in 0..<20 { try store.setImage(NumberedPictures.image(20), forKey: "\(number)") }
    try FileManager.default.createDirectory(
      at: store.imageURL(forKey: "folder"), withIntermediateDirectories: true)

    #expect(throws: ImageStoreError.self) { try store.removeAll() }

    #expect(store.statistics.memoryCount == 0)
  }

  @Test func hasTheOldPictureInMemoryWhereTheNewOneWasRefused() throws {
    try store.setImage(NumberedPictures.image(20), forKey: "bike")
    let error = #expect(throws: ImageStoreError.self) {
      try store.tiers.keep(Data(), as: nil, forKey: "bike")
    }

    #expect(error?.code == .notAPicture)
    #expect(store.statistics.memoryCount == 1)
  }
}
