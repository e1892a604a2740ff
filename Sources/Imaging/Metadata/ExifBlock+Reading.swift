/// Reading of directories and numbers: what lies outside of the block is nil.
extension ExifBlock {
  /// The most entries of a directory that is read: several times those of all tags that there are
  /// names for.
  private static let maximumEntryCount = 1000

  /// Reads a directory; nil where there is none at this place, or one that is too large to be
  /// meant.
  func table(at place: Int) -> Table? {
    guard place >= 8, let count = short(at: place).map(Int.init),
      (1...Self.maximumEntryCount).contains(count), place + 2 + 12 * count <= bytes.count
    else { return nil }
    let entries = (0..<count).compactMap { index -> Entry? in
      let start = place + 2 + 12 * index
      guard let tag = short(at: start), let type = short(at: start + 2),
        let count = long(at: start + 4), let field = long(at: start + 8)
      else { return nil }
      var entry = Entry(tag: tag, type: type, count: count, field: long(field), place: start)
      // Readers follow these whatever type they are said to have.
      if Tag.directories.contains(entry.tag) { (entry.type, entry.count) = (4, 1) }
      return isSound(entry) ? entry : nil
    }
    // Some programs leave out what says where the next directory is, at the very end.
    let next = long(at: place + 2 + 12 * count)
    return Table(
      entries: entries, next: next ?? 0, place: next == nil ? nil : place,
      room: next == nil ? 0 : count)
  }

  /// The directory that an entry points to.
  func pointedTo(by tag: UInt16, in table: Table) -> Table? {
    table.entries.first { $0.tag == tag }.flatMap { self.table(at: Int(long($0.field))) }
  }

  /// Where an entry's value lies; nil where it lies in the entry itself.
  func valueRange(of entry: Entry) -> Range<Int>? {
    guard let length = Self.byteCount(of: entry), length > 4 else { return nil }
    let place = Int(long(entry.field))
    return place..<place + length
  }

  /// Whether the value lies in the block.
  private func isSound(_ entry: Entry) -> Bool {
    guard let length = Self.byteCount(of: entry) else { return false }
    return length <= 4 || Int(long(entry.field)) + length <= bytes.count
  }

  /// Bytes of a value; nil for a type that TIFF does not have.
  static func byteCount(of entry: Entry) -> Int? {
    // Bytes of one value, by the types that TIFF numbers from 1.
    let sizes: InlineArray<12, Int> = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
    guard (1...12).contains(entry.type) else { return nil }
    return Int(entry.count) * sizes[Int(entry.type) - 1]
  }

  func short(at place: Int) -> UInt16? {
    let span = bytes.span
    guard let value = span.bytes.bigEndian16(at: place).map(UInt16.init(truncatingIfNeeded:)) else {
      return nil
    }
    return isBigEndian ? value : value.byteSwapped
  }

  func long(at place: Int) -> UInt32? {
    let span = bytes.span
    return span.bytes.bigEndian32(at: place).map { long(UInt32(truncatingIfNeeded: $0)) }
  }

  /// The first whole number, short or long, that an entry itself holds.
  ///
  /// nil for other types, and for more numbers, which lie elsewhere: maybe upon something else.
  func number(of entry: Entry) -> UInt32? {
    guard entry.count > 0, entry.type == 3 || entry.type == 4, valueRange(of: entry) == nil else {
      return nil
    }
    if entry.type == 4 { return long(entry.field) }
    return isBigEndian ? entry.field >> 16 : entry.field.byteSwapped & 0xFFFF
  }

  /// A field's bytes as a number in the block's byte order, and the other way round.
  func long(_ value: UInt32) -> UInt32 { isBigEndian ? value : value.byteSwapped }
}

// MARK: - Who else uses a place

extension ExifBlock {
  /// Whether nothing but one entry's value lies in a range: no directory, and no other value.
  func isAlone(_ range: Range<Int>, for tag: UInt16? = nil) -> Bool {
    guard range.lowerBound >= 8 else { return false }
    for (table, isOwn) in tables {
      if let place = table.range, place.overlaps(range) { return false }
      for entry in table.entries where !(isOwn && entry.tag == tag) {
        if let value = valueRange(of: entry), value.overlaps(range) { return false }
      }
    }
    return true
  }

  /// Whether a directory lies on another one or on a value: what is written there would change
  /// both.
  func isShared(_ directory: Directory) -> Bool {
    guard let range = self[directory].range else { return false }
    return Directory.allCases.contains { other in
      other != directory && self[other].range?.overlaps(range) == true
        || self[other].entries.contains { valueRange(of: $0)?.overlaps(range) == true }
    }
  }

  /// All directories, and whether this library changes them.
  private var tables: [(table: Table, isOwn: Bool)] {
    var tables = Directory.allCases.map { (self[$0], true) }
    if thumbnail != 0, let table = table(at: Int(thumbnail)) { tables.append((table, false)) }
    if let table = pointedTo(by: Tag.interoperabilityDirectory, in: self[.exif]) {
      tables.append((table, false))
    }
    return tables
  }
}
