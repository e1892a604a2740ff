import Synchronization

/// Values by key: a hash table that notes which of them were used, and finds them by their node in
/// the order of eviction as well as by their key.
///
/// A key's entry lies in the first place that was free from its hash's on, all of it together:
/// where the table is larger than the processor's caches, waiting for memory is what a lookup
/// costs, and here it waits once. `Dictionary` would need a second look for what it cannot keep
/// beside the value.
///
/// Several threads may read at the same time, and one may change it while nobody reads. The table is
/// memory of its own, not an array: each reader would retain that, and all would write to one count.
// Only readers meet, see `Bay`; what they write is atomic.
final class Shelf: @unchecked Sendable {
  typealias Object = any AnyObject & Sendable

  /// 32 bytes, two to a line of the processor's cache.
  private struct Entry: ~Copyable {
    var key = ""
    /// Nil where there is no entry.
    var value: Object?
    var node: Int32 = -1
    /// The key's tag but for its last bit, which says whether the entry was used.
    private let tagAndUse: Atomic<UInt32>

    init() { tagAndUse = Atomic(0) }

    init(_ key: String, _ value: Object, node: Int32, tag: UInt32) {
      (self.key, self.value, self.node) = (key, value, node)
      tagAndUse = Atomic(tag & ~1)
    }

    func has(_ tag: UInt32) -> Bool { (tagAndUse.load(ordering: .relaxed) ^ tag) & ~1 == 0 }

    /// Where the search for the entry begins, in a table of `mask + 1` places.
    func home(_ mask: Int) -> Int { Shelf.home(of: tagAndUse.load(ordering: .relaxed), mask) }

    var wasUsed: Bool { tagAndUse.load(ordering: .relaxed) & 1 == 1 }

    /// Written only where it changes something, so that a busy entry's memory can be in the caches
    /// of several processors.
    func noteUse() {
      if !wasUsed { tagAndUse.bitwiseOr(1, ordering: .relaxed) }
    }

    func forgetUse() { tagAndUse.bitwiseAnd(~1, ordering: .relaxed) }
  }

  private typealias Table = UnsafeMutablePointer<Entry>

  private var entries: Table
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = 3
    entries = Self.makeTable(mask)
  }

  /// Takes over what another shelf has.
  private init(emptying other: Shelf) {
    (entries, mask, count) = (other.entries, other.mask, other.count)
    (other.entries, other.mask, other.count) = (Self.makeTable(3), 3, 0)
  }

  deinit { Self.free(entries, mask) }

  private static func makeTable(_ mask: Int) -> Table {
    let table = Table.allocate(capacity: mask + 1)
    for index in 0...mask { (table + index).initialize(to: Entry()) }
    return table
  }

  private static func free(_ table: Table, _ mask: Int) {
    table.deinitialize(count: mask + 1)
    table.deallocate()
  }

  private static func home(of tag: UInt32, _ mask: Int) -> Int { Int(tag >> 1) & mask }

  // MARK: - Reading

  /// A key's value, which is noted as used.
  func use(_ key: String, _ tag: UInt32) -> Object? {
    guard let index = index(of: key, tag) else { return nil }
    entries[index].noteUse()
    return entries[index].value
  }

  /// A key's node in the order of eviction.
  func node(of key: String, _ tag: UInt32) -> Int32? {
    index(of: key, tag).map { entries[$0].node }
  }

  @inline(__always) private func index(of key: String, _ tag: UInt32) -> Int? {
    let (entries, mask) = (entries, mask)
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
  func insert(_ key: String, _ tag: UInt32, _ value: Object, node: Int32) {
    count += 1
    // Full to four fifths at most, so that a search ends within a few lines.
    if count * 5 > (mask + 1) * 4 { grow() }
    place(Entry(key, value, node: node, tag: tag))
  }

  /// Gives an entry another value and another node; that counts as a use.
  /// - Returns: The value it had.
  func replace(_ node: Int32, _ tag: UInt32, with value: Object, node newNode: Int32) -> Object? {
    guard let index = index(of: node, tag) else { return nil }
    let old = entries[index].value
    entries[index].value = value
    entries[index].node = newNode
    entries[index].noteUse()
    return old
  }

  /// Removes an entry.
  /// - Returns: Its value.
  func remove(_ node: Int32, _ tag: UInt32) -> Object? {
    index(of: node, tag).flatMap { take($0) }
  }

  /// Removes an entry that nobody has used since the last time; one that was used stays, and is
  /// unused from now on.
  func removeUnused(_ node: Int32, _ tag: UInt32) -> Object? {
    guard let index = index(of: node, tag) else { return nil }
    if entries[index].wasUsed {
      entries[index].forgetUse()
      return nil
    }
    return take(index)
  }

  /// Empties the shelf.
  /// - Returns: A shelf that holds what was here.
  func removeAll() -> Shelf { Shelf(emptying: self) }

  // MARK: - Places

  /// Puts an entry into the place of a free one.
  private func place(_ entry: consuming Entry) {
    var index = entry.home(mask)
    while entries[index].value != nil { index = (index + 1) & mask }
    entries[index] = entry
  }

  /// Takes an entry out, and moves those behind it forward that would not be found any more.
  private func take(_ index: Int) -> Object? {
    let taken = (entries + index).move()
    var (hole, next) = (index, (index + 1) & mask)
    while entries[next].value != nil {
      if (next - entries[next].home(mask)) & mask >= (next - hole) & mask {
        (entries + hole).moveInitialize(from: entries + next, count: 1)
        hole = next
      }
      next = (next + 1) & mask
    }
    (entries + hole).initialize(to: Entry())
    count -= 1
    return taken.value
  }

  private func grow() {
    let (old, oldMask) = (entries, mask)
    mask = mask * 2 + 1
    entries = Self.makeTable(mask)
    for index in 0...oldMask {
      let entry = (old + index).move()
      if entry.value != nil { place(entry) }
    }
    old.deallocate()
  }
}
