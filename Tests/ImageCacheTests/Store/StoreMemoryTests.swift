import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import ImageCache

/// What is in memory and what is on the disk, as one store.
@Suite(.timeLimit(.minutes(1)))
struct StoreMemoryTests {
  private let folder: TemporaryFolder
  private let store: ImageStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ImageStore(directory: folder.url, disk: .fast)
  }

  @Test func readsTheDiskOnce() throws {
    try store.setEncodedData(NumberedPictures.bytes(20), forKey: "bike")

    let first = try store.image(forKey: "bike")
    #expect(try store.image(forKey: "bike") === first)
    #expect(try store.encodedData(forKey: "bike") == NumberedPictures.bytes(20))

    #expect(store.statistics.diskHits == 1 && store.statistics.memoryHits == 2)
    store.flushMemory()
    #expect(store.statistics.memoryCount == 0)
    #expect(try store.image(forKey: "bike")?.pixelWidth == 20)
    #expect(store.statistics.diskHits == 2)
  }

  @Test func hasInMemoryWhatWasJustKept() throws {
    let image = try NumberedPictures.image(20)
    try store.setImage(image, forKey: "bike")

    #expect(try store.image(forKey: "bike") === image)
    #expect(store.statistics.diskHits == 0)
  }

  /// A picture without bytes is the same from memory as after a restart.
  @Test func hasInMemoryWhatARestartWouldFind() throws {
    try store.setImage(
      NumberedPictures.grey(width: 16), forKey: "bike", compressionQuality: 0.2)

    let kept = try store.image(forKey: "bike")?.encodedData
    store.flushMemory()
    #expect(try store.image(forKey: "bike")?.encodedData == kept)
  }

  @Test func keepsTheOldPictureInBothTiersWhereTheNewOneCannotBeKept() throws {
    var options = ImageStore.DiskOptions.fast
    options.maximumByteCount = 4096
    let store = try ImageStore(directory: folder.url, disk: options)
    try store.setImage(NumberedPictures.image(20), forKey: "bike")
    let large = try NumberedPictures.bytes(20) + Data(count: 8192)

    let error = #expect(throws: ImageStoreError.self) {
      try store.setImage(Image(large), forKey: "bike")
    }

    #expect(error?.code == .tooLarge)
    #expect(try store.image(forKey: "bike")?.pixelWidth == 20)
    store.flushMemory()
    #expect(try store.image(forKey: "bike")?.pixelWidth == 20)
  }

  @Test(arguments: [0, -1]) func keepsNothingInMemoryWhereItMustNot(limit: Int) throws {
    var memory = ImageStore.MemoryOptions()
    memory.maximumByteCount = limit
    let store = try ImageStore(directory: folder.url, memory: memory, disk: .fast)
    try store.setImage(NumberedPictures.image(20), forKey: "bike")

    #expect(try store.image(forKey: "bike")?.pixelWidth == 20)
    #expect(store.statistics.memoryCount == 0 && store.statistics.diskHits == 1)
  }

  @Test func limitsMemoryByWhatPicturesTakeWhenDecoded() throws {
    var memory = ImageStore.MemoryOptions()
    memory.maximumByteCount = 3 * 100 * 8 * 4
    let store = try ImageStore(directory: folder.url, memory: memory, disk: .fast)
    for number in 0..<10 {
      try store.setImage(NumberedPictures.image(100), forKey: "\(number)")
      #expect(store.statistics.memoryByteCount <= 3 * 100 * 8 * 4)
    }
    #expect(store.statistics.memoryCount > 0 && store.statistics.memoryEvictions > 0)
    #expect(try store.image(forKey: "0")?.pixelWidth == 100)
  }

  @Test func hasPicturesAndThumbnailsInOneBudget() throws {
    var memory = ImageStore.MemoryOptions()
    memory.maximumByteCount = 20_000
    let store = try ImageStore(directory: folder.url, memory: memory, disk: .fast)
    for number in 0..<10 {
      try store.setImage(NumberedPictures.image(100), forKey: "\(number)")
      _ = try store.thumbnail(forKey: "\(number)", maxPixelSize: 99)
      #expect(store.statistics.memoryByteCount <= 20_000)
    }
    #expect(store.statistics.memoryCount >= 3 && store.statistics.memoryEvictions > 0)
  }

  /// Bytes may belong to somebody who is told when they are not needed any more.
  @Test func holdsNoLockWhenItLetsGoOfPictures() throws {
    var memory = ImageStore.MemoryOptions()
    memory.maximumCount = 1
    let store = try ImageStore(directory: folder.url, memory: memory, disk: .fast)
    let callCount = Atomic(0)
    for number in 0..<6 {
      let bytes = try NumberedPictures.bytes(20)
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
      copy.copyBytes(from: bytes)
      let owned = Data(
        bytesNoCopy: try #require(copy.baseAddress), count: copy.count,
        deallocator: .custom { [weak store] start, _ in
          _ = try? store?.image(forKey: "\(number)")
          callCount.add(1, ordering: .relaxed)
          start.deallocate()
        })
      try store.setImage(Image(owned), forKey: "\(number)")
      if number == 3 { try store.deleteImage(forKey: "3") }
      if number == 4 { try store.removeAll() }
    }
    #expect(callCount.load(ordering: .relaxed) > 3)
  }

  @Test func letsGoOfPicturesWhenMemoryBecomesShort() throws {
    let pressure = ManualMemoryPressure()
    var memory = ImageStore.MemoryOptions()
    memory.pressure = pressure
    let store = try ImageStore(directory: folder.url, memory: memory, disk: .fast)
    for number in 0..<10 { try store.setImage(NumberedPictures.image(20), forKey: "\(number)") }

    pressure.send(.trim)
    #expect(store.statistics.memoryCount == 5)
    pressure.send(.flush)
    #expect(store.statistics.memoryCount == 0)
    #expect(try store.image(forKey: "0") != nil)
    pressure.send(.flushAndGiveBack)
    #expect(store.statistics.memoryCount == 0)
  }

  @Test func isGoneWhenNobodyHasIt() throws {
    let pressure = ManualMemoryPressure()
    var memory = ImageStore.MemoryOptions()
    memory.pressure = pressure
    var store = try ImageStore(directory: folder.url, memory: memory, disk: .fast) as ImageStore?
    weak let tiers = store?.tiers
    try store?.setImage(NumberedPictures.image(20), forKey: "bike")
    #expect(tiers != nil)
    store = nil

    pressure.send(.flush)
    let end = ContinuousClock.now + .seconds(10)
    while tiers != nil, ContinuousClock.now < end { usleep(1000) }
    #expect(tiers == nil)
  }

  // MARK: - Many at once

  enum Reading: CaseIterable {
    case pictures, thumbnails, bytes, anotherStore
  }

  /// A read that begins after a change has ended sees that change or a later one.
  @Test(arguments: Reading.allCases) func neverGoesBackInTime(_ reading: Reading) throws {
    var memory = ImageStore.MemoryOptions()
    memory.maximumCount = 1
    let store = try ImageStore(directory: folder.url, memory: memory, disk: .fast)
    let other = try ImageStore(directory: folder.url, memory: memory, disk: .fast)
    let width = { @Sendable (key: String) throws -> Int? in
      switch reading {
      case .pictures: try store.image(forKey: key)?.pixelWidth
      case .thumbnails: try store.thumbnail(forKey: key, maxPixelSize: 1000)?.pixelWidth
      case .bytes: try store.encodedData(forKey: key).map { try Image($0).pixelWidth }
      case .anotherStore: try other.image(forKey: key)?.pixelWidth
      }
    }
    let keys = ["bike", "car"]
    let pictures = try (0...60).map { try NumberedPictures.bytes(8 + $0) }
    // What the last change that has ended left: a picture's number, and its negative where it was
    // deleted.
    let done = Mutex<[String: Int]>([:])
    let isOver = Atomic(false)

    DispatchQueue.concurrentPerform(iterations: 6) { worker in
      do {
        guard worker < keys.count else {
          while !isOver.load(ordering: .acquiring) {
            for key in keys {
              let atLeast = done.withLock { $0[key] ?? 0 }
              let width = try width(key)
              let latest = done.withLock { $0[key] ?? 0 }
              if let width {
                #expect(width - 8 >= abs(atLeast), "older than what the last change left")
                #expect(atLeast >= 0 || width - 8 > -atLeast, "a deleted picture")
              } else if atLeast > 0, atLeast % 3 != 0 {
                #expect(latest != atLeast, "no picture although none was deleted")
              }
            }
          }
          return
        }
        let key = keys[worker]
        for number in 1...60 {
          try store.setImage(Image(pictures[number]), forKey: key)
          done.withLock { $0[key] = number }
          guard number % 3 == 0 else { continue }
          try store.deleteImage(forKey: key)
          done.withLock { $0[key] = -number }
          usleep(200)
        }
        if worker == 0 { usleep(10_000) }
        isOver.store(true, ordering: .releasing)
      } catch {
        Issue.record(error)
        isOver.store(true, ordering: .releasing)
      }
    }
  }
}
