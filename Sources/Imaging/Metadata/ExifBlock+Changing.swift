extension ExifBlock {
  func contains(_ tag: UInt16, in directory: Directory) -> Bool {
    self[directory].entries.contains { $0.tag == tag }
  }

  /// Takes an entry away and leaves nothing of its value.
  mutating func remove(_ tag: UInt16, in directory: Directory) {
    guard let index = self[directory].entries.firstIndex(where: { $0.tag == tag }) else { return }
    let entry = self[directory].entries.remove(at: index)
    self[directory].isChanged = true
    if let range = valueRange(of: entry) { erase(range) }
  }

  /// Zeros bytes that nobody else uses.
  mutating func erase(_ range: Range<Int>) {
    let isFree = isAlone(range) || Directory.allCases.contains { self[$0].range == range }
    guard isFree, range.upperBound <= bytes.count else { return }
    for place in range { bytes[place] = 0 }
  }
}

// MARK: - Values

extension ExifBlock {
  mutating func set(_ tag: UInt16, in directory: Directory, short value: UInt16) {
    set(tag, in: directory, type: 3, count: 1, ordered(value))
  }

  mutating func set(_ tag: UInt16, in directory: Directory, long value: UInt32) {
    set(tag, in: directory, type: 4, count: 1, ordered(value))
  }

  /// A number in the type that the block has it in, where it fits into that.
  mutating func set(_ tag: UInt16, in directory: Directory, number value: Int) {
    let isShort = self[directory].entries.contains { $0.tag == tag && $0.type == 3 }
    if isShort, let short = UInt16(exactly: value) {
      set(tag, in: directory, short: short)
    } else {
      set(tag, in: directory, long: UInt32(clamping: value))
    }
  }

  mutating func set(
    _ tag: UInt16, in directory: Directory, fractions values: [ImageMetadata.Fraction]
  ) {
    set(
      tag, in: directory, type: 5, count: values.count,
      values.flatMap { ordered($0.numerator) + ordered($0.denominator) })
  }

  mutating func set(_ tag: UInt16, in directory: Directory, fraction value: ImageMetadata.Fraction)
  {
    set(tag, in: directory, fractions: [value])
  }

  /// Text ends at its first zero byte, as readers end it.
  mutating func set(_ tag: UInt16, in directory: Directory, text: String) {
    var characters = Array(text.utf8)
    if let end = characters.firstIndex(of: 0) { characters.removeSubrange(end...) }
    characters.append(0)
    set(tag, in: directory, text: characters)
  }

  /// Text as its characters with the zero byte that ends it.
  mutating func set(_ tag: UInt16, in directory: Directory, text characters: [UInt8]) {
    set(tag, in: directory, type: 2, count: characters.count, characters)
  }

  /// Bytes without a meaning that the TIFF structure knows.
  mutating func set(_ tag: UInt16, in directory: Directory, undefined bytes: [UInt8]) {
    set(tag, in: directory, type: 7, count: bytes.count, bytes)
  }

  mutating func set(_ tag: UInt16, in directory: Directory, bytes value: [UInt8]) {
    set(tag, in: directory, type: 1, count: value.count, value)
  }

  private mutating func set(
    _ tag: UInt16, in directory: Directory, type: UInt16, count: Int, _ value: [UInt8]
  ) {
    let index = self[directory].entries.firstIndex { $0.tag == tag }
    if let index, patch(index, in: directory, type: type, count: count, value) { return }
    if let index, let old = valueRange(of: self[directory].entries[index]) {
      // The old value must not stay for others to find.
      self[directory].entries[index].count = 0
      erase(old)
    }
    var entry = Entry(tag: tag, type: type, count: UInt32(clamping: count), field: 0)
    if value.count > 4 {
      entry.field = long(placeOfNextValue())
      bytes += value
    } else {
      entry.field = Self.field(of: value)
    }
    if let index {
      self[directory].entries[index] = entry
    } else {
      self[directory].entries.append(entry)
    }
    self[directory].isChanged = true
  }

  /// Puts a value where the old one is; false where that is of another size, or not an entry's alone.
  private mutating func patch(
    _ index: Int, in directory: Directory, type: UInt16, count: Int, _ value: [UInt8]
  ) -> Bool {
    let old = self[directory].entries[index]
    // Text may be shorter: it ends at its first zero.
    guard old.type == type, count == Int(old.count) || type == 2 && count < Int(old.count) else {
      return false
    }
    guard let range = valueRange(of: old) else {
      let field = Self.field(of: value)
      self[directory].entries[index].field = field
      if let place = old.place { write(long(field), at: place + 8) }
      return true
    }
    guard range.upperBound <= bytes.count, isAlone(range, for: old.tag) else { return false }
    for (offset, place) in range.enumerated() {
      bytes[place] = offset < value.count ? value[offset] : 0
    }
    return true
  }

  private static func field(of value: [UInt8]) -> UInt32 {
    value.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(24 - 8 * $1.offset) }
  }
}

// MARK: - Numbers in the block's byte order

extension ExifBlock {
  private func ordered(_ value: UInt16) -> [UInt8] {
    var result: [UInt8] = []
    append(value, to: &result)
    return result
  }

  private func ordered(_ value: UInt32) -> [UInt8] {
    var result: [UInt8] = []
    append(value, to: &result)
    return result
  }

  func append(_ value: UInt16, to result: inout [UInt8]) {
    let ordered = isBigEndian ? value : value.byteSwapped
    result.append(UInt8(truncatingIfNeeded: ordered >> 8))
    result.append(UInt8(truncatingIfNeeded: ordered))
  }

  func append(_ value: UInt32, to result: inout [UInt8]) {
    append(UInt16(truncatingIfNeeded: isBigEndian ? value >> 16 : value), to: &result)
    append(UInt16(truncatingIfNeeded: isBigEndian ? value : value >> 16), to: &result)
  }

  mutating func write(_ value: UInt32, at place: Int) {
    guard place + 4 <= bytes.count else { return }
    let ordered = long(value)
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: ordered >> UInt32(24 - 8 * index))
    }
  }
}
