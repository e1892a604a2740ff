import Foundation

/// Gives keys to the items of a file that have none, or that of another item.
///
/// The keys follow from what the items are: whoever reads the same file has the same keys, so that
/// pictures are found again and two processes mean the same item.
struct DistinctKeys {
  private var taken: Set<String> = []
  /// How many keys were made for items that are like the one with this key: counting them again for
  /// each would take as long as all of them squared.
  private var made: [String: Int] = [:]

  /// The item, under its own key where nobody has it yet.
  mutating func distinct(_ item: Item) -> Item {
    if !item.itemKey.isEmpty, taken.insert(item.itemKey).inserted { return item }
    let first = Self.key(of: item, 0)
    var occurrence = made[first] ?? 0
    while true {
      let key = occurrence == 0 ? first : Self.key(of: item, occurrence)
      occurrence += 1
      guard taken.insert(key).inserted else { continue }
      made[first] = occurrence
      return item.rekeyed(key)
    }
  }

  private static func key(of item: Item, _ occurrence: Int) -> String {
    var hash = FNV1a()
    for text in [item.itemKey, item.name, item.serialNumber ?? "", "\(occurrence)"] {
      hash.add(text.utf8)
      hash.add(CollectionOfOne(0))
    }
    hash.add(item.dateCreated.timeIntervalSinceReferenceDate.bitPattern)
    let high = hash.value
    hash.add(UInt64(bitPattern: Int64(item.valueInDollars)))
    return uuid(high, hash.value)
  }

  /// A UUID of version 8: made by a rule of one's own.
  private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    let words = [high & ~0xF000 | 0x8000, low & ~(3 << 62) | 2 << 62]
    let digits = words.map { word in
      let text = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}

/// The hash function FNV-1a with 64 bits: tells every changed byte, and is no secret.
struct FNV1a {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {}

  mutating func add(_ bytes: some Sequence<UInt8>) {
    var hash = value
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = hash
  }

  mutating func add(_ word: UInt64) {
    add((0..<8).lazy.map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) })
  }
}
