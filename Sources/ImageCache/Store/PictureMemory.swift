import Imaging
import Synchronization

/// What has been taken out of memory, to be let go of when no lock is held: who made a picture's
/// bytes may be told that they are not needed any more, and may call the store then.
typealias Released = (any Sendable)?

/// The memory tier: pictures and thumbnails under one budget.
final class PictureMemory: Sendable {
  /// `MemoryCache` may be called from any thread; Foundation marks every `NSCache` otherwise.
  nonisolated(unsafe) private let cache: MemoryCache<Image>
  private let isOff: Atomic<Bool>
  /// In every thumbnail's name, so that no picture's key is one.
  private let thumbnailMark = "thumbnail " + String(UInt64.random(in: .min ... .max), radix: 36)

  init(_ options: ImageStore.MemoryOptions) {
    // A limit of 0 is none at all for an `NSCache`.
    isOff = Atomic(min(options.maximumByteCount ?? 1, options.maximumCount ?? 1) <= 0)
    cache = MemoryCache(
      totalCostLimit: options.maximumByteCount ?? MemoryBudget.current.byteCount,
      countLimit: options.maximumCount ?? 0)
  }

  var statistics: MemoryCacheStatistics { cache.statistics }

  /// What the cache keeps its values in, for whoever reads pictures and does nothing else.
  var storage: MemoryStorage { cache.storage }

  /// Keeps nothing from here on.
  func turnOff() {
    isOff.store(true, ordering: .sequentiallyConsistent)
    _ = removeAll()
  }

  /// A picture; it counts as used.
  func picture(forKey key: String) -> Image? { cache.value(forKey: key) }

  func keep(_ picture: Image, forKey key: String) -> Released {
    guard !isOff.load(ordering: .sequentiallyConsistent) else { return nil }
    return cache.exchange(picture, forKey: key)
  }

  func remove(_ key: String) -> Released { cache.removeValue(forKey: key) }

  func removeAll() -> Released { cache.takeAll() }

  func relieve(_ level: MemoryPressureLevel) { cache.relieve(level) }
}

extension MemoryStorage {
  /// A picture in a storage that has nothing but pictures; it counts as used.
  func picture(forKey key: String) -> Image? {
    guard let object = value(forKey: key) else { return nil }
    return unsafeDowncast(object, to: Image.self)
  }
}

// MARK: - Thumbnails

/// They are kept under what they were made of: an old picture's are never found again, and go as
/// all that nobody uses.
extension PictureMemory {
  func thumbnail(ofKey key: String, _ size: Int, madeOf stamp: DiskStamp) -> Image? {
    cache.value(forKey: name(key, size, stamp))
  }

  func keepThumbnail(
    _ image: Image, ofKey key: String, _ size: Int, madeOf stamp: DiskStamp
  ) -> Released {
    keep(image, forKey: name(key, size, stamp))
  }

  private func name(_ key: String, _ size: Int, _ stamp: DiskStamp) -> String {
    "\(thumbnailMark) \(size) \(stamp.fileNumber) \(stamp.modified) \(stamp.byteCount) \(key)"
  }
}
