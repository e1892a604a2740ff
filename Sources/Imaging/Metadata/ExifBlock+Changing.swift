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

  /// Up to three fractions; more are not written.
  mutating func set(
    _ tag: UInt16, in directory: Directory, fractions values: [ImageMetadata.Fraction]
  ) {
    let value = FractionBytes(values, isBigEndian: isBigEndian)
    set(tag, in: directory, type: 5, count: value.count / 8, value)
  }

  mutating func set(_ tag: UInt16, in directory: Directory, fraction value: ImageMetadata.Fraction)
  {
    set(
      tag, in: directory, type: 5, count: 1, FractionBytes(value, isBigEndian: isBigEndian))
  }

  /// Text ends at its first zero byte, as readers end it.
  mutating func set(_ tag: UInt16, in directory: Directory, text: String) {
    var value = Array(text.utf8)
    if let end = value.firstIndex(of: 0) { value.removeSubrange(end...) }
    set(tag, in: directory, type: 2, count: value.count + 1, value)
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
      insert(Entry(tag: tag, type: type, count: 1, field: field), in: directory)
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

  /// Keeps tags in order where they are.
  private mutating func insert(_ entry: Entry, in directory: Directory) {
    let index = self[directory].entries.lastIndex { $0.tag <= entry.tag }.map { $0 + 1 } ?? 0
    self[directory].entries.insert(entry, at: index)
    self[directory].isChanged = true
  }

  /// Writes a value of bytes in which text lacks the zero that ends it.
  private mutating func set(
    _ tag: UInt16, in directory: Directory, type: UInt16, count: Int,
    _ value: some Collection<UInt8>
  ) {
    let index = self[directory].entries.firstIndex { $0.tag == tag }
    if let index, patch(index, in: directory, type: type, count: count, value) { return }
    if let index, let old = valueRange(of: self[directory].entries[index]) {
      // The old value must not stay for others to find.
      self[directory].entries[index].count = 0
      erase(old)
    }
    var entry = Entry(tag: tag, type: type, count: UInt32(clamping: count), field: 0)
    if Self.byteCount(of: entry) ?? 0 > 4 {
      entry.field = long(placeOfNextValue())
      bytes.append(contentsOf: value)
      if type == 2 { bytes.append(0) }
    } else {
      entry.field = Self.field(of: value)
    }
    if let index {
      self[directory].entries[index] = entry
      self[directory].isChanged = true
    } else {
      insert(entry, in: directory)
    }
  }

  /// Puts a value where the old one is; false where that is of another size, or not an entry's
  /// alone.
  private mutating func patch(
    _ index: Int, in directory: Directory, type: UInt16, count: Int,
    _ value: some Collection<UInt8>
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
    var rest = value.makeIterator()
    for place in range { bytes[place] = rest.next() ?? 0 }
    return true
  }

  private static func field(of value: some Collection<UInt8>) -> UInt32 {
    value.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(24 - 8 * $1.offset) }
  }
}

/// Up to three fractions as the block has them.
private struct FractionBytes: RandomAccessCollection {
  private var numbers = InlineArray<6, UInt32>(repeating: 0)
  private(set) var endIndex = 0
  var startIndex: Int { 0 }

  init(_ value: ImageMetadata.Fraction, isBigEndian: Bool) {
    append(value, isBigEndian: isBigEndian)
  }

  init(_ values: [ImageMetadata.Fraction], isBigEndian: Bool) {
    for value in values.prefix(3) { append(value, isBigEndian: isBigEndian) }
  }

  private mutating func append(_ value: ImageMetadata.Fraction, isBigEndian: Bool) {
    let (above, below) = (value.numerator, value.denominator)
    numbers[endIndex / 4] = isBigEndian ? above : above.byteSwapped
    numbers[endIndex / 4 + 1] = isBigEndian ? below : below.byteSwapped
    endIndex += 8
  }

  subscript(place: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: numbers[place / 4] >> UInt32(24 - 8 * (place % 4)))
  }
}
