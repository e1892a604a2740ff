extension ExifBlock {
  /// The whole TIFF structure with the changes.
  consuming func serialized() -> [UInt8] {
    var result = self
    result.layOut()
    return result.bytes
  }

  private mutating func layOut() {
    if !isNew, newThumbnail != nil || Directory.allCases.contains(where: { self[$0].isChanged }) {
      moveOwnTogether()
    }
    writeTable(.exif, pointedToBy: Tag.exifDirectory)
    writeTable(.location, pointedToBy: Tag.locationDirectory)
    let small = newThumbnail.map { appendThumbnailDirectory(byteCount: $0.count) }
    if let small { thumbnail = small.place }
    // A main directory must have an entry.
    if self[.main].entries.isEmpty {
      set(Tag.orientation, in: .main, short: UInt16(ImageOrientation.up.rawValue))
    }
    if self[.main].isChanged { write(write(self[.main]), at: 4) }
    if let small, let newThumbnail {
      // At the very end of a new block, so that it can be taken away again.
      write(placeOfNextValue(), at: small.offsetPlace)
      bytes += newThumbnail
    }
    if !isNew, bytes.count > ownStart { appendMark() }
  }

  private mutating func writeTable(_ directory: Directory, pointedToBy tag: UInt16) {
    guard self[directory].isChanged else { return }
    if self[directory].entries.isEmpty {
      if let range = self[directory].range { erase(range) }
      remove(tag, in: .main)
    } else {
      set(tag, in: .main, long: write(self[directory]))
    }
  }

  /// Writes a directory where it lies, or behind all that is there.
  private mutating func write(_ table: Table) -> UInt32 {
    guard let range = table.range, table.entries.count <= table.room,
      range.upperBound <= bytes.count
    else { return append(table.entries, next: table.next) }
    for place in range { bytes[place] = 0 }
    put(table.entries, next: table.next, at: range.lowerBound)
    return UInt32(range.lowerBound)
  }

  /// Writes a directory at the end.
  mutating func append(_ entries: [Entry], next: UInt32) -> UInt32 {
    let place = placeOfNextValue()
    bytes.append(contentsOf: repeatElement(0, count: 6 + 12 * entries.count))
    put(entries, next: next, at: Int(place))
    return place
  }

  /// Readers want the tags in order.
  private mutating func put(_ entries: [Entry], next: UInt32, at start: Int) {
    let isInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.tag <= $1.tag }
    let isBigEndian = isBigEndian
    func ordered(_ value: UInt16) -> UInt16 { isBigEndian ? value.bigEndian : value.littleEndian }
    func ordered(_ value: UInt32) -> UInt32 { isBigEndian ? value.bigEndian : value.littleEndian }
    var span = bytes.mutableSpan
    var raw = span.mutableBytes
    raw.storeBytes(of: ordered(UInt16(entries.count)), toByteOffset: start, as: UInt16.self)
    var place = start + 2
    for entry in isInOrder ? entries : entries.sorted(by: { $0.tag < $1.tag }) {
      raw.storeBytes(of: ordered(entry.tag), toByteOffset: place, as: UInt16.self)
      raw.storeBytes(of: ordered(entry.type), toByteOffset: place + 2, as: UInt16.self)
      raw.storeBytes(of: ordered(entry.count), toByteOffset: place + 4, as: UInt32.self)
      raw.storeBytes(of: entry.field.bigEndian, toByteOffset: place + 8, as: UInt32.self)
      place += 12
    }
    raw.storeBytes(of: ordered(next), toByteOffset: place, as: UInt32.self)
  }

  /// Values begin at even places.
  mutating func placeOfNextValue() -> UInt32 {
    if bytes.count & 1 == 1 { bytes.append(0) }
    return UInt32(bytes.count)
  }

  /// Puts a number where there is room for it.
  mutating func write(_ value: UInt32, at place: Int) {
    guard place >= 0, place + 4 <= bytes.count else { return }
    let ordered = long(value).bigEndian
    var span = bytes.mutableSpan
    var raw = span.mutableBytes
    raw.storeBytes(of: ordered, toByteOffset: place, as: UInt32.self)
  }
}

// MARK: - What earlier edits appended

extension ExifBlock {
  /// Ends a block that this library has appended to, and is followed by the place of the first
  /// byte.
  private static let mark: StaticString = "CKLinux\0"
  private static let markByteCount = 12

  private mutating func appendMark() {
    _ = placeOfNextValue()
    bytes.append(contentsOf: "CKLinux\0".utf8)
    bytes.append(contentsOf: repeatElement(0, count: 4))
    write(UInt32(ownStart), at: bytes.count - 4)
  }

  /// Where an earlier edit began to append; nil where nobody did, or somebody else has been there.
  ///
  /// Others may have appended, too, or written offsets that this library does not know: only what
  /// the directories that it writes can tell of is its own.
  var markedStart: Int? {
    let end = bytes.count - Self.markByteCount
    let span = bytes.span
    guard end > 8, span.bytes.holds(Self.mark, at: end),
      let start = long(at: end + 8).map(Int.init), (9...end).contains(start)
    else { return nil }
    let own = start..<end
    func isForeign(_ range: Range<Int>?) -> Bool {
      range.map { $0.upperBound <= start || $0.isEmpty } ?? true
    }
    func isOwn(_ range: Range<Int>?) -> Bool { range.map { own.contains($0) } ?? true }
    func isEither(_ range: Range<Int>?) -> Bool { isForeign(range) || isOwn(range) }
    var byteCount = 0
    for directory in Directory.allCases {
      guard isEither(self[directory].range) else { return nil }
      for entry in self[directory].entries {
        guard let range = valueRange(of: entry) else { continue }
        guard isForeign(range) || entry.tag != Tag.makerNote && isOwn(range) else { return nil }
        if isOwn(range) { byteCount += range.count }
      }
    }
    let others = pointedTo(by: Tag.interoperabilityDirectory, in: self[.exif])
    guard byteCount <= own.count, isForeign(others?.range),
      others?.entries.allSatisfy({ isForeign(valueRange(of: $0)) }) ?? true
    else { return nil }
    guard thumbnail != 0 else { return start }
    guard let table = table(at: Int(thumbnail)), let picture = thumbnailRange else { return nil }
    let places = table.entries.map(valueRange) + [table.range, picture]
    return places.allSatisfy(isForeign) || places.allSatisfy(isOwn) && table.next == 0
      ? start : nil
  }

  /// Writes the values behind the foreign bytes anew, without what lies there for nobody.
  private mutating func moveOwnTogether() {
    let own = Array(bytes[ownStart...])
    if Int(thumbnail) >= ownStart {
      newThumbnail = newThumbnail ?? thumbnailRange.map { Array(bytes[$0]) }
      thumbnail = 0
    }
    bytes.removeSubrange(ownStart...)
    for directory in Directory.allCases {
      if let place = self[directory].place, place >= ownStart {
        self[directory].giveUpPlace()
        self[directory].isChanged = true
      }
      for index in self[directory].entries.indices {
        guard let range = valueRange(of: self[directory].entries[index]),
          range.lowerBound >= ownStart
        else { continue }
        self[directory].entries[index].field = long(placeOfNextValue())
        self[directory].isChanged = true
        bytes += own[range.lowerBound - ownStart..<range.upperBound - ownStart]
      }
    }
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Self) -> Bool {
    other.lowerBound >= lowerBound && other.upperBound <= upperBound
  }
}
