import Foundation
import ImageCache
import Imaging
import Synchronization

/// Something that keeps pictures by key, as the cache benchmarks see it.
protocol PictureCache: Sendable {
  func image(forKey key: String) -> Image?
  func setImage(_ image: Image, forKey key: String, cost: Int)
  func deleteImage(forKey key: String)
}

/// An app's store of pictures, all of which are in memory, through its public calls.
final class StoreCache: PictureCache {
  private let folder: ScratchFolder
  private let store: ImageStore

  init() throws {
    var memory = ImageStore.MemoryOptions()
    memory.maximumByteCount = .max
    memory.pressure = nil
    folder = try ScratchFolder()
    store = try ImageStore(directory: folder.url.appending(path: "pictures"), memory: memory)
  }

  /// Reads that had to go to the disk.
  var diskHits: Int { store.statistics.diskHits }

  @inline(never) func image(forKey key: String) -> Image? {
    do { return try store.image(forKey: key) } catch { return nil }
  }
  @inline(never) func setImage(_ image: Image, forKey key: String, cost: Int) {
    try? store.setImage(image, forKey: key)
  }
  func deleteImage(forKey key: String) { try? store.deleteImage(forKey: key) }
}

/// The memory tier alone, which takes costs and limits.
struct OurCache: PictureCache {
  // Any thread may use it; Foundation marks every NSCache as not sendable.
  nonisolated(unsafe) private let cache: MemoryCache<Image>

  init(totalCostLimit: Int = 0, countLimit: Int = 0) {
    cache = MemoryCache(totalCostLimit: totalCostLimit, countLimit: countLimit)
  }

  @inline(never) func image(forKey key: String) -> Image? { cache.value(forKey: key) }
  @inline(never) func setImage(_ image: Image, forKey key: String, cost: Int) {
    cache.setValue(image, forKey: key, cost: cost)
  }
  func deleteImage(forKey key: String) { cache.removeValue(forKey: key) }
}

/// The least that several threads can share: no order, no limits.
final class DictionaryCache: PictureCache {
  private let images = Mutex<[String: Image]>([:])

  @inline(never) func image(forKey key: String) -> Image? { images.withLock { $0[key] } }
  @inline(never) func setImage(_ image: Image, forKey key: String, cost: Int) {
    images.withLock { $0[key] = image }
  }
  func deleteImage(forKey key: String) { _ = images.withLock { $0.removeValue(forKey: key) } }
}

/// Foundation's own.
struct StockCache: PictureCache {
  // Foundation locks each call.
  nonisolated(unsafe) private let cache = NSCache<NSString, Image>()

  init(totalCostLimit: Int = 0, countLimit: Int = 0) {
    cache.totalCostLimit = totalCostLimit
    cache.countLimit = countLimit
  }

  @inline(never) func image(forKey key: String) -> Image? { cache.object(forKey: key as NSString) }
  @inline(never) func setImage(_ image: Image, forKey key: String, cost: Int) {
    cache.setObject(image, forKey: key as NSString, cost: cost)
  }
  func deleteImage(forKey key: String) { cache.removeObject(forKey: key as NSString) }
}

/// As textbooks have it: a dictionary of nodes that are linked in the order of use, behind a lock.
final class TextbookCache: PictureCache {
  private final class Node {
    let key: String
    var image: Image
    var cost: Int
    var older: Node?
    unowned(unsafe) var newer: Node?

    init(_ key: String, _ image: Image, _ cost: Int) {
      (self.key, self.image, self.cost) = (key, image, cost)
    }
  }

  private struct Order: ~Copyable {
    var nodes: [String: Node] = [:]
    var newest: Node?
    unowned(unsafe) var oldest: Node?
    var cost = 0

    mutating func unlink(_ node: Node) {
      let older = node.older
      if let newer = node.newer { newer.older = older } else { newest = older }
      if let older { older.newer = node.newer } else { oldest = node.newer }
      (node.older, node.newer) = (nil, nil)
    }

    mutating func link(_ node: Node) {
      node.older = newest
      if let newest { newest.newer = node } else { oldest = node }
      newest = node
    }

    mutating func use(_ key: String) -> Image? {
      guard let node = nodes[key] else { return nil }
      if newest !== node {
        unlink(node)
        link(node)
      }
      return node.image
    }

    mutating func remove(_ key: String) {
      guard let node = nodes.removeValue(forKey: key) else { return }
      unlink(node)
      cost -= node.cost
    }
  }

  private let order = Mutex(Order())
  private let totalCostLimit: Int
  private let countLimit: Int

  init(totalCostLimit: Int = 0, countLimit: Int = 0) {
    (self.totalCostLimit, self.countLimit) = (totalCostLimit, countLimit)
  }

  deinit {
    // Link by link: a chain of a hundred thousand would be released recursively.
    order.withLock { order in while let node = order.newest { order.unlink(node) } }
  }

  @inline(never) func image(forKey key: String) -> Image? { order.withLock { $0.use(key) } }

  @inline(never) func setImage(_ image: Image, forKey key: String, cost: Int) {
    order.withLock { order in
      order.remove(key)
      let node = Node(key, image, cost)
      order.nodes[key] = node
      order.link(node)
      order.cost += cost
      while let oldest = order.oldest, isTooMuch(order.cost, order.nodes.count) {
        order.remove(oldest.key)
      }
    }
  }

  func deleteImage(forKey key: String) { order.withLock { $0.remove(key) } }

  private func isTooMuch(_ cost: Int, _ count: Int) -> Bool {
    totalCostLimit > 0 && cost > totalCostLimit || countLimit > 0 && count > countLimit
  }
}
