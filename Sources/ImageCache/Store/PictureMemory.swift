import Imaging

/// The memory tier: pictures and thumbnails under one budget.
final class PictureMemory: Sendable {
  /// `MemoryCache` may be called from any thread; Foundation marks every `NSCache` otherwise.
  nonisolated(unsafe) private let cache: MemoryCache<StoredPicture>

  /// A limit of 0 is none at all for an `NSCache`.
  private let keepsNothing: Bool

  init(_ options: ImageStore.MemoryOptions) {
    keepsNothing = options.maximumByteCount == 0 || options.maximumCount == 0
    cache = MemoryCache(
      totalCostLimit: options.maximumByteCount ?? MemoryBudget.current.byteCount,
      countLimit: options.maximumCount ?? 0)
  }

  var statistics: MemoryCacheStatistics { cache.statistics }

  /// A picture; it counts as used.
  func picture(forKey key: String) -> StoredPicture? {
    guard let picture = cache.value(forKey: key), picture.request.maxPixelSize == nil else {
      return nil
    }
    return picture
  }

  /// What a picture's file was when it came into memory; nil where it is not there.
  func stamp(forKey key: String) -> DiskStamp? { picture(forKey: key)?.stamp }

  func thumbnail(_ request: KeyTraffic.Request) -> StoredPicture? {
    guard let picture = cache.value(forKey: Self.name(of: request)), picture.request == request
    else { return nil }
    return picture
  }

  func keep(_ picture: StoredPicture) {
    guard !keepsNothing else { return }
    cache.setValue(picture, forKey: Self.name(of: picture.request))
  }

  /// Forgets a picture. Its thumbnails show by what they were made of that they are none any more.
  func remove(_ key: String) { cache.removeValue(forKey: key) }

  func removeAll() { cache.removeAll() }

  func relieve(_ level: MemoryPressureLevel) { cache.relieve(level) }

  /// A thumbnail's name in the cache. A picture may be called so too: what is found says which one
  /// it is.
  private static func name(of request: KeyTraffic.Request) -> String {
    guard let size = request.maxPixelSize else { return request.key }
    return "thumbnail \(size) of \(request.key)"
  }
}
