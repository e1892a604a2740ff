/// A key's hash, cut into what the parts of the memory tier need of it; computed once by call.
///
/// It is Swift's own: equal strings have equal ones, however they are composed, and each process
/// has its own seed, so that nobody can send keys that all fall into one place.
struct Fingerprint: Hashable, Sendable {
  /// Tells keys of one shelf apart, nearly always.
  let tag: UInt32
  /// Which of ``MemoryStorage``'s shelves the key belongs to.
  let shelf: Int

  init(of key: String) {
    let hash = UInt(bitPattern: key.hashValue)
    tag = UInt32(truncatingIfNeeded: hash >> 16)
    shelf = Int(hash % UInt(MemoryStorage.shelfCount))
  }
}
