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
    set(
      tag, in: directory, type: 3,
      field: isBigEndian ? UInt32(value) << 16 : UInt32(value).byteSwapped)
  }

  mutating func set(_ tag: UInt16, in directory: Directory, long value: UInt32) {
    set(tag, in: directory, type: 4, field: long(value))
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

  /// A single value that its entry holds.
  private mutating func set(
    _ tag: UInt16, in directory: Directory, type: UInt16, field: UInt32
  ) {
    guard let index = self[directory].entries.firstIndex(where: { $0.tag == tag }) else {
      self[directory].entries.append(Entry(tag: tag, type: type, count: 1, field: field))
      self[directory].isChanged = true
      return
    }
    let old = self[directory].entries[index]
    if old.type == type, old.count == 1 { return put(field, in: index, of: directory) }
    self[directory].entries[index] = Entry(tag: tag, type: type, count: 1, field: field)
    self[directory].isChanged = true
    // The old value must not stay for others to find.
    if let range = valueRange(of: old) { erase(range) }
  }

  /// Replaces what an entry holds, where it lies.
  private mutating func put(_ field: UInt32, in index: Int, of directory: Directory) {
    self[directory].entries[index].field = field
    if let place = self[directory].entries[index].place {
      write(long(field), at: place + 8)
    } else {
      self[directory].isChanged = true
    }
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
      put(Self.field(of: value), in: index, of: directory)
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
  func ordered(_ value: UInt32) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 4)
    var bytes = result.mutableSpan
    put(value, at: 0, in: &bytes)
    return result
  }

  func put(_ value: UInt16, at place: Int, in bytes: inout MutableSpan<UInt8>) {
    let ordered = isBigEndian ? value : value.byteSwapped
    bytes[place] = UInt8(truncatingIfNeeded: ordered >> 8)
    bytes[place + 1] = UInt8(truncatingIfNeeded: ordered)
  }

  func put(_ value: UInt32, at place: Int, in bytes: inout MutableSpan<UInt8>) {
    put(UInt16(truncatingIfNeeded: isBigEndian ? value >> 16 : value), at: place, in: &bytes)
    put(UInt16(truncatingIfNeeded: isBigEndian ? value : value >> 16), at: place + 2, in: &bytes)
  }

  mutating func write(_ value: UInt32, at place: Int) {
    guard place + 4 <= bytes.count else { return }
    let ordered = long(value)
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: ordered >> UInt32(24 - 8 * index))
    }
  }
}
