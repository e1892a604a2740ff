import Foundation
import Imaging
import LinuxSystem

/// The two tiers of a store as one: what is in memory is what is on the disk.
final class StoreTiers: Sendable {
  let memory: PictureMemory
  let disk: DiskTier
  private let traffic = KeyTraffic()
  private let seen = SeenFiles()
  private let queue = WorkQueue(width: max(2, ProcessInfo.processInfo.activeProcessorCount))

  init(memory: PictureMemory, disk: DiskTier) {
    self.memory = memory
    self.disk = disk
  }
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
    defer { StoreNeighbours.shared.tell(self, of: key) }
    do throws(ImageStoreError) {
      try traffic.change(key) { () throws(ImageStoreError) in
        try disk.write(bytes, forKey: key)
      } remember: { stamp in
        guard let stamp else { return memory.remove(key) }
        seen.note(key, stamp)
        guard let image else { return memory.remove(key) }
        return memory.keep(image, forKey: key)
      }
    } catch {
      compare(key)
      throw error
    }
  }

  func delete(_ key: String) throws(ImageStoreError) {
    defer { StoreNeighbours.shared.tell(self, of: key, isGone: true) }
    do throws(ImageStoreError) {
      try traffic.change(key) { () throws(ImageStoreError) in
        try disk.delete(forKey: key)
      } remember: { _ in
        seen.note(key, nil)
        return memory.remove(key)
      }
    } catch {
      compare(key)
      throw error
    }
  }

  func deleteAll() throws(ImageStoreError) {
    // Where one could not be deleted, others are gone.
    defer {
      traffic.overtake(nil) { memory.removeAll() }
      StoreNeighbours.shared.tell(self, of: nil, isGone: true)
    }
    try disk.removeAll()
  }

  /// Another store of this process has changed a picture.
  ///
  /// - Parameters:
  ///   - key: The key; nil for all.
  ///   - isGone: Whether it was deleted: what is being read is not returned any more.
  func hear(of key: String?, isGone: Bool) {
    if isGone {
      if let key {
        disk.recentDeletions.note(FileName.name(forKey: key))
      } else {
        disk.recentDeletions.noteAll()
      }
    }
    forget(key)
  }

  /// Somebody else has changed a picture, or may have.
  private func forget(_ key: String?) {
    traffic.overtake(key) {
      guard let key else { return memory.removeAll() }
      return memory.remove(key)
    }
  }

  /// Something has happened to pictures' files; this store itself may have done it.
  func notice(_ changes: DiskChanges) {
    guard !changes.isIncomplete else { return forget(nil) }
    for key in changes.keys { compare(key) }
  }

  /// Forgets a picture whose file is not what this store knows.
  private func compare(_ key: String) {
    let stamp = disk.stamp(forKey: key)
    traffic.overtake(key, unless: { seen.has(key, stamp) }, forget: { memory.remove(key) })
  }
}

// MARK: - Reading

extension StoreTiers {
  /// More often a load is not begun anew for who asks; it reads for itself then.
  private static let patience = 16

  /// What is in memory.
  func remembered(_ request: KeyTraffic.Request) -> Image? {
    guard let size = request.maxPixelSize else { return memory.picture(forKey: request.key) }
    return disk.stamp(forKey: request.key).flatMap {
      memory.thumbnail(ofKey: request.key, size, madeOf: $0)
    }
  }

  /// A picture's bytes, as they were kept; waits for the disk.
  func bytes(_ key: String) throws(ImageStoreError) -> Data? {
    if let bytes = remembered(.init(key: key))?.encodedData { return bytes }
    return try disk.read(forKey: key)?.bytes
  }

  /// What is asked for and was not in memory; waits for the disk.
  func load(_ request: KeyTraffic.Request) throws(ImageStoreError) -> Image? {
    for attempt in 0..<Self.patience {
      if attempt > 0, let picture = remembered(request) { return picture }
      let waiter = LoadWaiter()
      switch traffic.join(request, leading: nil, following: waiter) {
      case .leader(let flight):
        let (outcome, isCurrent) = fly(flight)
        if isCurrent { return try outcome.get() }
      case .follower:
        guard let answer = waiter.wait(for: KeyTraffic.usualPatience) else {
          // Whoever reads it is held up; this reads for itself then.
          traffic.leave(request, waiter)
          return try read(request)?.image
        }
        if case .loaded(let outcome) = answer { return try outcome.get() }
      }
    }
    return try read(request)?.image
  }

  /// The same for a task, which does not occupy one of Swift's threads while it waits. How long it
  /// waits is its own affair: it can be cancelled.
  ///
  /// - Throws: `ImageStoreError`, or `CancellationError` where the task was cancelled first.
  func picture(
    _ request: KeyTraffic.Request, _ urgency: WorkQueue.Urgency
  ) async throws -> Image? {
    for _ in 0..<Self.patience {
      try Task.checkCancellation()
      if let picture = remembered(request) { return picture }
      switch await answer(to: request, urgency) {
      case .loaded(let outcome): return try outcome.get()
      case .cancelled: throw CancellationError()
      case .overtaken: continue
      }
    }
    return try await perform { () throws(ImageStoreError) in try self.read(request)?.image }
  }

  private func answer(
    to request: KeyTraffic.Request, _ urgency: WorkQueue.Urgency
  ) async -> LoadAnswer {
    let waiter = LoadWaiter()
    if case .leader(let flight) = traffic.join(request, leading: waiter, following: waiter) {
      queue.submit(urgency) {
        if self.traffic.begin(flight) { _ = self.fly(flight) }
      }
    }
    return await withTaskCancellationHandler {
      await waiter.answer()
    } onCancel: {
      traffic.leave(request, waiter)
      waiter.answer(.cancelled)
    }
  }

  /// Does the work of a load, and tells all who wait for it.
  /// - Returns: What came of it, and whether nobody has changed the picture meanwhile.
  private func fly(_ flight: KeyTraffic.Flight) -> (LoadOutcome, isCurrent: Bool) {
    let request = flight.request
    // Another load may have landed after memory was asked and before this one began.
    if let image = remembered(request) {
      return (.success(image), traffic.land(flight, .success(image)) { nil })
    }
    let picture: StoredPicture?
    do throws(ImageStoreError) {
      picture = try read(request)
    } catch {
      return (.failure(error), traffic.land(flight, .failure(error)) { nil })
    }
    let outcome = LoadOutcome.success(picture?.image)
    return (outcome, traffic.land(flight, outcome) { picture.flatMap { keep($0, request) } })
  }

  private func keep(_ picture: StoredPicture, _ request: KeyTraffic.Request) -> Released {
    if let size = request.maxPixelSize {
      return memory.keepThumbnail(picture.image, ofKey: request.key, size, madeOf: picture.stamp)
    }
    seen.note(request.key, picture.stamp)
    return memory.keep(picture.image, forKey: request.key)
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
  private func read(_ request: KeyTraffic.Request) throws(ImageStoreError) -> StoredPicture? {
    guard let size = request.maxPixelSize else { return try original(request.key) }
    return try thumbnail(request.key, size)
  }

  private func original(_ key: String) throws(ImageStoreError) -> StoredPicture? {
    guard let picture = try disk.read(forKey: key) else { return nil }
    return StoredPicture(
      image: try decodable(picture.bytes, disk.fileURL(forKey: key)), stamp: picture.stamp)
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
  /// Made of what the disk has: memory may have a picture that somebody else has just replaced.
  private func thumbnail(_ key: String, _ size: Int) throws(ImageStoreError) -> StoredPicture? {
    // No damage: whoever deletes damaged pictures must not lose this one.
    guard size > 0 else {
      throw ImageStoreError(
        .failed, "A thumbnail of “\(key)” cannot have \(size) pixels; ask for 1 at least")
    }
    guard let stamp = disk.stamp(forKey: key) else { return nil }
    let variant = "thumbnail-\(size)"
    if let bytes = disk.derived(variant, ofKey: key), let image = try? Image(bytes) {
      return StoredPicture(image: image, stamp: stamp)
    }
    guard let picture = try original(key) else { return nil }
    let thumbnail = try shrunk(picture.image, size, key)
    if let bytes = Self.encoded(thumbnail, like: picture.image) {
      // It is made anew where it cannot be kept.
      try? disk.keepDerived(bytes, as: variant, ofKey: key, madeOf: picture.stamp)
    }
    return StoredPicture(image: thumbnail, stamp: picture.stamp)
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

/// A picture that was read from a file, and what the file was then.
private struct StoredPicture {
  let image: Image
  let stamp: DiskStamp
}
