/// Values by key: a hash table whose entries stay in their slots for as long as they are there.
///
/// A lookup reads a bucket, a slot and nothing else. `Dictionary` would do, if it kept a key's
/// place while others come and go; this way ``EvictionOrder`` can name an entry by a number.
struct Shelf: Sendable {
  typealias Object = any AnyObject & Sendable

  /// How often somebody asked for a key.
  struct Requests: Hashable, Sendable {
    var hits = 0
    var misses = 0
  }

  private struct Slot: Sendable {
    var key: String
    /// Nil in a slot that is free.
    var value: Object?
    /// The entry's node in the order of eviction; of a free slot the next free one, or -1.
    var node: Int32
    var wasUsed: Bool
  }

  /// A tag and a slot's number above 0 in each; all zeros where the bucket is empty. A key is in
  /// the first free bucket from its tag's on.
  private var buckets: [UInt64] = [UInt64](repeating: 0, count: 8)
  private var slots: [Slot] = []
  private var firstFree: Int32 = -1
  private(set) var count = 0
  private(set) var requests = Requests()
  /// Keeps what one thread writes out of the cache line that another's shelf is in.
  private var padding = InlineArray<8, UInt64>(repeating: 0)

  private var mask: Int { buckets.count - 1 }

  // MARK: - Reading

  /// A key's value, which is noted as used.
  mutating func use(_ key: String, _ tag: UInt32) -> Object? {
    guard let slot = slot(of: key, tag) else {
      requests.misses &+= 1
      return nil
    }
    requests.hits &+= 1
    // Written only where it changes something, so that a busy entry's memory can be in the
    // caches of several processors.
    if !slots[slot].wasUsed { slots[slot].wasUsed = true }
    return slots[slot].value
  }

  /// A key's entry: its slot, and its node in the order of eviction.
  func entry(of key: String, _ tag: UInt32) -> (slot: Int32, node: Int32)? {
    slot(of: key, tag).map { (Int32(truncatingIfNeeded: $0), slots[$0].node) }
  }

  private func slot(of key: String, _ tag: UInt32) -> Int? {
    var bucket = Int(tag) & mask
    while buckets[bucket] != 0 {
      let content = buckets[bucket]
      if UInt32(truncatingIfNeeded: content >> 32) == tag {
        let slot = Int(truncatingIfNeeded: content & 0xffff_ffff) - 1
        if slots[slot].key == key { return slot }
      }
      bucket = (bucket + 1) & mask
    }
    return nil
  }

  // MARK: - Changing

  /// Adds a key that is not here.
  /// - Returns: Its slot.
  mutating func insert(_ key: String, _ tag: UInt32, _ value: Object, node: Int32) -> Int32 {
    count += 1
    // Half full at most: a search that fails ends soon.
    if count * 2 > buckets.count { grow() }
    let entry = Slot(key: key, value: value, node: node, wasUsed: false)
    let slot: Int
    if firstFree >= 0 {
      slot = Int(firstFree)
      firstFree = slots[slot].node
      slots[slot] = entry
    } else {
      slot = slots.count
      slots.append(entry)
    }
    fill(UInt64(tag) << 32 | UInt64(slot + 1))
    return Int32(truncatingIfNeeded: slot)
  }

  /// Gives an entry another value.
  /// - Returns: The value it had.
  mutating func replace(_ slot: Int32, with value: Object, node: Int32) -> Object? {
    let slot = Int(slot)
    slots[slot].wasUsed = true
    slots[slot].node = node
    let old = slots[slot].value
    slots[slot].value = value
    return old
  }

  /// Removes an entry.
  /// - Returns: Its value.
  mutating func remove(_ slot: Int32, _ tag: UInt32) -> Object? {
    empty(UInt64(tag) << 32 | UInt64(slot + 1))
    let value = slots[Int(slot)].value
    slots[Int(slot)] = Slot(key: "", value: nil, node: firstFree, wasUsed: false)
    firstFree = slot
    count -= 1
    return value
  }

  /// Removes an entry that nobody has used since the last time; one that was used stays, and is
  /// unused from now on.
  mutating func removeUnused(_ slot: Int32, _ tag: UInt32) -> Object? {
    if slots[Int(slot)].wasUsed {
      slots[Int(slot)].wasUsed = false
      return nil
    }
    return remove(slot, tag)
  }

  /// Empties the shelf, but goes on counting requests.
  /// - Returns: A shelf that holds what was here.
  mutating func removeAll() -> Shelf {
    let full = self
    self = Shelf()
    requests = full.requests
    return full
  }

  // MARK: - Buckets

  private mutating func fill(_ content: UInt64) {
    var bucket = Int(content >> 32) & mask
    while buckets[bucket] != 0 { bucket = (bucket + 1) & mask }
    buckets[bucket] = content
  }

  /// Empties a bucket and moves those behind it forward that would not be found any more.
  private mutating func empty(_ content: UInt64) {
    var hole = Int(content >> 32) & mask
    while buckets[hole] != content { hole = (hole + 1) & mask }
    var bucket = (hole + 1) & mask
    while buckets[bucket] != 0 {
      let home = Int(buckets[bucket] >> 32) & mask
      if (bucket - home) & mask >= (bucket - hole) & mask {
        buckets[hole] = buckets[bucket]
        hole = bucket
      }
      bucket = (bucket + 1) & mask
    }
    buckets[hole] = 0
  }

  private mutating func grow() {
    let old = buckets
    buckets = [UInt64](repeating: 0, count: old.count * 2)
    for content in old where content != 0 { fill(content) }
  }
}
