import Foundation
import Imaging
import LinuxSystem
import Synchronization

/// The two tiers of a store as one: what is in memory is what is on the disk.
final class StoreTiers: Sendable {
  let memory: PictureMemory
  let disk: DiskTier
  private let traffic = KeyTraffic()
  private let queue = WorkQueue(width: max(2, ProcessInfo.processInfo.activeProcessorCount))
  /// Whether nobody tells of other processes' changes, so that each picture in memory has to be
  /// compared with its file.
  private let isUnwatched = Atomic(false)

  init(memory: PictureMemory, disk: DiskTier) {
    self.memory = memory
    self.disk = disk
  }

  func compareWithFiles() { isUnwatched.store(true, ordering: .relaxed) }
}

// MARK: - Changing

extension StoreTiers {
  /// Keeps a picture's bytes.
  ///
  /// - Parameters:
  ///   - bytes: What its file is to hold.
  ///   - image: The picture, for the memory tier; nil where nobody has it.
  ///   - key: The key.
  /// - Throws: `ImageStoreError`; both tiers then have the picture that they had before.
  func keep(_ bytes: Data, as image: Image?, forKey key: String) throws(ImageStoreError) {
    try traffic.change(key) { () throws(ImageStoreError) in
      try disk.write(bytes, forKey: key)
    } remember: { stamp in
      if let stamp, let image {
        memory.keep(StoredPicture(.init(key: key), image, stamp))
      } else {
        memory.remove(key)
      }
    }
    StoreNeighbours.shared.tell(self, of: key)
  }

  func delete(_ key: String) throws(ImageStoreError) {
    try traffic.change(key) { () throws(ImageStoreError) in
      try disk.delete(forKey: key)
    } remember: { _ in
      memory.remove(key)
    }
    StoreNeighbours.shared.tell(self, of: key)
  }

  func deleteAll() throws(ImageStoreError) {
    try disk.removeAll()
    traffic.overtake(nil) { memory.removeAll() }
    StoreNeighbours.shared.tell(self, of: nil)
  }

  /// Somebody else has changed a picture, or may have: another store of this process, which knows.
  func forget(_ key: String?) {
    traffic.overtake(key) {
      if let key { memory.remove(key) } else { memory.removeAll() }
    }
  }

  /// Something has happened to pictures' files; this store itself may have done it.
  func notice(_ changes: DiskChanges) {
    guard !changes.isIncomplete else { return forget(nil) }
    for key in changes.keys where memory.stamp(forKey: key) != disk.stamp(forKey: key) {
      forget(key)
    }
  }
}

// MARK: - Reading

extension StoreTiers {
  /// More often a load is not begun anew for who asks; it reads for itself then.
  private static let patience = 16

  /// What is in memory and still is what the disk has.
  func remembered(_ request: KeyTraffic.Request) -> StoredPicture? {
    guard request.maxPixelSize == nil else {
      // Who makes thumbnails looks at many, and none may be an older picture's.
      guard let thumbnail = memory.thumbnail(request),
        thumbnail.stamp == disk.stamp(forKey: request.key)
      else { return nil }
      return thumbnail
    }
    guard let picture = memory.picture(forKey: request.key) else { return nil }
    guard isUnwatched.load(ordering: .relaxed) else { return picture }
    return picture.stamp == disk.stamp(forKey: request.key) ? picture : nil
  }

  /// A picture's bytes, as they were kept; waits for the disk.
  func bytes(_ key: String) throws(ImageStoreError) -> Data? {
    if let bytes = remembered(.init(key: key))?.image.encodedData { return bytes }
    return try disk.read(forKey: key)?.bytes
  }

  /// What is asked for, from memory or from the disk; waits for the disk.
  func picture(_ request: KeyTraffic.Request) throws(ImageStoreError) -> StoredPicture? {
    for _ in 0..<Self.patience {
      if let picture = remembered(request) { return picture }
      let waiter = LoadWaiter()
      switch traffic.join(request, leading: nil, following: waiter) {
      case .leader(let flight):
        let outcome = rememberedOrLoaded(request)
        if land(flight, outcome) { return try outcome.get() }
      case .follower:
        if case .loaded(let outcome) = waiter.wait() { return try outcome.get() }
      }
    }
    return try load(request).get()
  }

  /// The same for a task, which does not occupy one of Swift's threads while it waits.
  ///
  /// - Throws: `ImageStoreError`, or `CancellationError` where the task was cancelled first.
  func picture(
    _ request: KeyTraffic.Request, _ urgency: WorkQueue.Urgency
  ) async throws -> StoredPicture? {
    for _ in 0..<Self.patience {
      try Task.checkCancellation()
      if let picture = remembered(request) { return picture }
      switch await answer(to: request, urgency) {
      case .loaded(let outcome): return try outcome.get()
      case .cancelled: throw CancellationError()
      case .overtaken: continue
      }
    }
    return try await perform { () throws(ImageStoreError) in try self.load(request).get() }
  }

  private func answer(
    to request: KeyTraffic.Request, _ urgency: WorkQueue.Urgency
  ) async -> LoadAnswer {
    let waiter = LoadWaiter()
    if case .leader(let flight) = traffic.join(request, leading: waiter, following: waiter) {
      queue.submit(urgency) {
        guard self.traffic.isWanted(flight) else { return }
        _ = self.land(flight, self.rememberedOrLoaded(request))
      }
    }
    return await withTaskCancellationHandler {
      await waiter.answer()
    } onCancel: {
      traffic.leave(request, waiter)
      waiter.answer(.cancelled)
    }
  }

  /// Another load may have landed after memory was asked and before this one began.
  private func rememberedOrLoaded(_ request: KeyTraffic.Request) -> LoadOutcome {
    if let picture = remembered(request) { return .success(picture) }
    return load(request)
  }

  private func land(_ flight: KeyTraffic.Flight, _ outcome: LoadOutcome) -> Bool {
    traffic.land(flight, outcome) { memory.keep($0) }
  }

  /// Runs what waits for the disk, and suspends the task meanwhile.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(ImageStoreError) -> Value
  ) async throws(ImageStoreError) -> Value {
    let result: Result<Value, ImageStoreError> = await withCheckedContinuation { continuation in
      queue.submit(.wanted) { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
  }

  /// What the disk has.
  private func load(_ request: KeyTraffic.Request) -> LoadOutcome {
    Result { () throws(ImageStoreError) in
      guard let size = request.maxPixelSize else { return try original(request.key) }
      return try thumbnail(request, size)
    }
  }

  private func original(_ key: String) throws(ImageStoreError) -> StoredPicture? {
    guard let picture = try disk.read(forKey: key) else { return nil }
    return StoredPicture(
      .init(key: key), try decodable(picture.bytes, disk.fileURL(forKey: key)), picture.stamp)
  }

  private func decodable(_ bytes: Data, _ file: URL) throws(ImageStoreError) -> Image {
    do throws(ImagingError) {
      return try Image(bytes)
    } catch {
      let path = file.path(percentEncoded: false)
      throw ImageStoreError(.damaged, "\(path) holds no picture that can be read: \(error)")
    }
  }
}

// MARK: - Thumbnails

extension StoreTiers {
  private func thumbnail(
    _ request: KeyTraffic.Request, _ size: Int
  ) throws(ImageStoreError) -> StoredPicture? {
    let key = request.key
    guard let stamp = disk.stamp(forKey: key) else { return nil }
    let variant = "thumbnail-\(size)"
    if let bytes = disk.derived(variant, ofKey: key), let image = try? Image(bytes) {
      return StoredPicture(request, image, stamp)
    }
    guard let picture = try whole(key) else { return nil }
    let thumbnail = try shrunk(picture.image, size, key)
    if let bytes = Self.encoded(thumbnail, like: picture.image) {
      // It is made anew where it cannot be kept.
      try? disk.keepDerived(bytes, as: variant, ofKey: key, madeOf: picture.stamp)
    }
    return StoredPicture(request, thumbnail, picture.stamp)
  }

  private func whole(_ key: String) throws(ImageStoreError) -> StoredPicture? {
    if let picture = remembered(.init(key: key)) { return picture }
    return try original(key)
  }

  private func shrunk(
    _ image: Image, _ size: Int, _ key: String
  ) throws(ImageStoreError) -> Image {
    do throws(ImagingError) {
      return try image.thumbnail(maxPixelSize: size)
    } catch {
      let path = disk.fileURL(forKey: key).path(percentEncoded: false)
      throw ImageStoreError(.damaged, "No thumbnail could be made of \(path): \(error)")
    }
  }

  /// PNG where the picture is no photograph, which may have places that show what is behind them.
  private static func encoded(_ thumbnail: Image, like image: Image) -> Data? {
    if let bytes = thumbnail.encodedData { return bytes }
    return image.format == .png
      ? thumbnail.pngData() : thumbnail.jpegData(compressionQuality: 0.85)
  }
}
