import Foundation
import Imaging
import TestSupport
import Testing

@testable import ImageCache

/// What is in memory when others change the folder: another store of the process, another process,
/// another program.
@Suite(.timeLimit(.minutes(1)))
struct StoreNeighboursTests {
  private let folder: TemporaryFolder
  private let store: ImageStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ImageStore(directory: folder.url, disk: .fast)
  }

  private func eventually(_ isSo: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while try !isSo() {
      guard ContinuousClock.now < end else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }

  @Test func seesAtOnceWhatAnotherStoreOfTheProcessDoes() throws {
    let link = folder.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.url.appending(path: "images"))
    let one = try ImageStore(directory: folder.url.appending(path: "images"), disk: .fast)
    let other = try ImageStore(directory: link, disk: .fast)
    for number in 1...20 {
      try one.setImage(NumberedPictures.image(number), forKey: "bike")
      #expect(try other.image(forKey: "bike")?.pixelWidth == number)
    }
    let start = one.tiers.disk.recentDeletions.count
    try other.deleteImage(forKey: "bike")
    #expect(try one.image(forKey: "bike") == nil)
    // What was read at that moment is not returned either.
    #expect(one.tiers.disk.recentDeletions.contain("bike.jpg", since: start))
    try one.setImage(NumberedPictures.image(5), forKey: "bike")
    #expect(try other.image(forKey: "bike") != nil)
    try one.removeAll()
    #expect(try other.image(forKey: "bike") == nil)
  }

  @Test func dropsWhatAnotherProcessDeletesOrReplaces() async throws {
    for key in ["bike", "car"] { try store.setImage(NumberedPictures.image(20), forKey: key) }

    #expect(try Worker.run("delete", folder.path, "bike").status == 0)
    #expect(try Worker.run("put", folder.path, "car", "1").status == 0)

    #expect(try await eventually { try store.image(forKey: "bike") == nil })
    #expect(
      try await eventually {
        try store.encodedData(forKey: "car") != NumberedPictures.bytes(20)
      })
  }

  /// Of a picture that the store itself had deleted before.
  @Test func dropsWhatOthersHavePutAndDeleted() throws {
    try store.setImage(NumberedPictures.image(20), forKey: "bike")
    try store.deleteImage(forKey: "bike")
    let other = try DiskTier(url: folder.url, options: .fast)
    try other.write(NumberedPictures.bytes(30), forKey: "bike")
    #expect(try store.image(forKey: "bike")?.pixelWidth == 30)

    try other.delete(forKey: "bike")
    store.tiers.notice(DiskChanges(keys: ["bike"]))

    #expect(try store.image(forKey: "bike") == nil)
  }

  @Test func takesAPictureThatAProgramHasPutThere() async throws {
    try store.setImage(NumberedPictures.image(20), forKey: "bike")
    try NumberedPictures.bytes(30).write(to: store.imageURL(forKey: "bike"), options: .atomic)

    #expect(try await eventually { try store.image(forKey: "bike")?.pixelWidth == 30 })
  }

  @Test func forgetsAllWhenTheFolderIsDeleted() async throws {
    let url = folder.url.appending(path: "images")
    let store = try ImageStore(directory: url, disk: .fast)
    try store.setImage(NumberedPictures.image(20), forKey: "bike")
    try FileManager.default.removeItem(at: url)

    #expect(try await eventually { try store.image(forKey: "bike") == nil })
    try store.setImage(NumberedPictures.image(30), forKey: "bike")
    #expect(try store.image(forKey: "bike")?.pixelWidth == 30)
  }

  @Test func keepsNothingInMemoryWhereNobodyTells() throws {
    try store.setImage(NumberedPictures.image(20), forKey: "bike")
    store.tiers.memory.turnOff()

    #expect(try store.image(forKey: "bike") != nil)
    try FileManager.default.removeItem(at: store.imageURL(forKey: "bike"))
    #expect(try store.image(forKey: "bike") == nil)
  }

  /// Its own changes are told too; what they left in memory stays.
  @Test func keepsInMemoryWhatItHasChangedItself() async throws {
    let image = try NumberedPictures.image(20)
    try store.setImage(image, forKey: "bike")
    try await Task.sleep(for: .milliseconds(300))

    #expect(try store.image(forKey: "bike") === image)
    try NumberedPictures.bytes(30).write(to: store.imageURL(forKey: "bike"), options: .atomic)
    #expect(try await eventually { try store.image(forKey: "bike")?.pixelWidth == 30 })
  }
}
