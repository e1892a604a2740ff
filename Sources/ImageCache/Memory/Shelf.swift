/// Values by key: a hash table that notes which of them were used, and finds them by their node in
/// the order of eviction as well as by their key.
///
/// A key's entry lies in the first place that was free from its hash's on, all of it together:
/// where the table is larger than the processor's caches, waiting for memory is what a lookup
/// costs, and here it waits once. `Dictionary` would need a second look for what it cannot keep
/// beside the value.
struct Shelf: Sendable {
  typealias Object = any AnyObject & Sendable

  /// How often somebody asked for a key.
  struct Requests: Hashable, Sendable {
    var hits = 0
    var misses = 0
  }

  /// 32 bytes, two to a line of the processor's cache.
  private struct Entry: Sendable {
    var key = ""
    /// Nil where there is no entry.
    var value: Object?
    var node: Int32 = -1
    /// The key's tag but for its last bit, which says whether the entry was used.
    private var tagAndUse: UInt32 = 0

    init() {}

    init(_ key: String, _ value: Object, node: Int32, tag: UInt32) {
      (self.key, self.value, self.node) = (key, value, node)
      tagAndUse = tag & ~1
    }

    func has(_ tag: UInt32) -> Bool { (tagAndUse ^ tag) & ~1 == 0 }

    /// Where the search for the entry begins, in a table of `mask + 1` places.
    func home(_ mask: Int) -> Int { Shelf.home(of: tagAndUse, mask) }

    var wasUsed: Bool {
      get { tagAndUse & 1 == 1 }
      set { tagAndUse = tagAndUse & ~1 | (newValue ? 1 : 0) }
    }
  }

  private var entries = [Entry](repeating: Entry(), count: 4)
  private(set) var count = 0
  private(set) var requests = Requests()
  /// Keeps what one thread writes out of the cache line that another's shelf is in.
  private var padding = InlineArray<8, UInt64>(repeating: 0)

  private var mask: Int { entries.count - 1 }

  private static func home(of tag: UInt32, _ mask: Int) -> Int { Int(tag >> 1) & mask }

  // MARK: - Reading

  /// A key's value, which is noted as used.
  mutating func use(_ key: String, _ tag: UInt32) -> Object? {
    guard let index = index(of: key, tag) else {
      requests.misses &+= 1
      return nil
    }
    requests.hits &+= 1
    // Written only where it changes something, so that a busy entry's memory can be in the
    // caches of several processors.
    if !entries[index].wasUsed { entries[index].wasUsed = true }
    return entries[index].value
  }

  /// A key's node in the order of eviction.
  func node(of key: String, _ tag: UInt32) -> Int32? {
    index(of: key, tag).map { entries[$0].node }
  }

  @inline(__always) private func index(of key: String, _ tag: UInt32) -> Int? {
    var index = Self.home(of: tag, mask)
    while entries[index].value != nil {
      if entries[index].has(tag), entries[index].key == key { return index }
      index = (index + 1) & mask
    }
    return nil
  }

  private func index(of node: Int32, _ tag: UInt32) -> Int? {
    var index = Self.home(of: tag, mask)
    while entries[index].value != nil {
      if entries[index].node == node { return index }
      index = (index + 1) & mask
    }
    return nil
  }

  // MARK: - Changing

  /// Adds a key that is not here.
  mutating func insert(_ key: String, _ tag: UInt32, _ value: Object, node: Int32) {
    count += 1
    // Full to four fifths at most, so that a search ends within a few lines.
    if count * 5 > entries.count * 4 { grow() }
    var entry = Entry(key, value, node: node, tag: tag)
    place(&entry)
  }

  /// Gives an entry another value and another node; that counts as a use.
  /// - Returns: The value it had.
  mutating func replace(
    _ node: Int32, _ tag: UInt32, with value: Object, node newNode: Int32
  ) -> Object? {
    guard let index = index(of: node, tag) else { return nil }
    let old = entries[index].value
    entries[index].value = value
    entries[index].node = newNode
    entries[index].wasUsed = true
    return old
  }

  /// Removes an entry.
  /// - Returns: Its value.
  mutating func remove(_ node: Int32, _ tag: UInt32) -> Object? {
    index(of: node, tag).flatMap { take($0) }
  }

  /// Removes an entry that nobody has used since the last time; one that was used stays, and is
  /// unused from now on.
  mutating func removeUnused(_ node: Int32, _ tag: UInt32) -> Object? {
    guard let index = index(of: node, tag) else { return nil }
    if entries[index].wasUsed {
      entries[index].wasUsed = false
      return nil
    }
    return take(index)
  }

  /// Empties the shelf, but goes on counting requests.
  /// - Returns: A shelf that holds what was here.
  mutating func removeAll() -> Shelf {
    let full = self
    self = Shelf()
    requests = full.requests
    return full
  }

  // MARK: - Places

  /// Swaps an entry for one of the free ones.
  private mutating func place(_ entry: inout Entry) {
    var index = entry.home(mask)
    while entries[index].value != nil { index = (index + 1) & mask }
    swap(&entries[index], &entry)
  }

  /// Takes an entry out, and moves those behind it forward that would not be found any more.
  private mutating func take(_ index: Int) -> Object? {
    var taken = Entry()
    swap(&entries[index], &taken)
    var (hole, next) = (index, (index + 1) & mask)
    while entries[next].value != nil {
      if (next - entries[next].home(mask)) & mask >= (next - hole) & mask {
        entries.swapAt(hole, next)
        hole = next
      }
      next = (next + 1) & mask
    }
    count -= 1
    return taken.value
  }

  private mutating func grow() {
    var old = [Entry](repeating: Entry(), count: entries.count * 2)
    swap(&old, &entries)
    for index in old.indices where old[index].value != nil { place(&old[index]) }
  }
}
