/// The TIFF structure of an EXIF segment, changed with as little movement as can be (CIPA DC-008).
///
/// A value that has the size of the old one takes its place. What else has to be said is written behind the
/// old bytes: the value, and its directory where that has no room for another entry; pointers are replaced.
/// Nothing else moves: maker notes hold offsets that only their maker knows, and they still hit.
struct ExifBlock {
  /// One entry of a directory.
  struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    /// The four bytes of the value or of its offset, the first one highest.
    var field: UInt32
    /// Where the entry lies in the block; nil for a new one.
    var place: Int?
  }

  /// The directories that this library reads and writes.
  enum Directory: CaseIterable { case main, exif, location }

  /// A directory's contents.
  struct Table {
    var entries: [Entry] = []
    /// The place of the directory that follows; 0 without one.
    var next: UInt32 = 0
    /// Where the directory lies in the block; nil for a new one.
    var place: Int?
    /// How many entries there is room for at its place.
    var room = 0
    /// Whether it is to be written anew.
    var isChanged = false

    var range: Range<Int>? { place.map { $0..<$0 + 6 + 12 * room } }

    /// Whatever changes is written elsewhere from now on.
    fileprivate mutating func giveUpPlace() {
      (place, room) = (nil, 0)
      for index in entries.indices { entries[index].place = nil }
    }
  }

  var bytes: [UInt8]
  let isBigEndian: Bool
  /// Whether the block was not read from a picture.
  let isNew: Bool
  private var main = Table()
  private var exif = Table()
  private var location = Table()
  /// A small JPEG picture that is to be embedded.
  var newThumbnail: [UInt8]?

  /// The most bytes of a block that is read: what a JPEG segment holds, and much more.
  static let maximumByteCount = 1 << 20

  /// An empty block.
  init() {
    bytes = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
    isBigEndian = false
    isNew = true
  }

  /// Takes memory for what a photo's metadata says, once instead of bit by bit.
  mutating func reserveRoom() {
    bytes.reserveCapacity(1024)
    main.entries.reserveCapacity(16)
    exif.entries.reserveCapacity(24)
  }

  /// Reads a block; nil unless header and main directory are sound.
  ///
  /// Entries whose values lie outside of the block are left out.
  init?(_ tiff: RawSpan) {
    guard tiff.byteCount >= 14, tiff.byteCount <= Self.maximumByteCount else { return nil }
    isBigEndian = tiff.holds("MM\0*", at: 0)
    guard isBigEndian || tiff.holds("II*\0", at: 0) else { return nil }
    bytes = tiff.array
    isNew = false
    guard let place = number(at: 4, size: 4), let table = table(at: Int(place)) else { return nil }
    main = table
    exif = pointedTo(by: Tag.exifDirectory, in: main) ?? Table()
    location = pointedTo(by: Tag.locationDirectory, in: main) ?? Table()
    // All of them are looked at before the first one gives up its place.
    for directory in Directory.allCases.filter(isShared) { self[directory].giveUpPlace() }
  }

  subscript(directory: Directory) -> Table {
    get {
      switch directory {
      case .main: main
      case .exif: exif
      case .location: location
      }
    }
    _modify {
      switch directory {
      case .main: yield &main
      case .exif: yield &exif
      case .location: yield &location
      }
    }
  }

  var hasEntries: Bool { Directory.allCases.contains { !self[$0].entries.isEmpty } }

  /// The place of the directory of the embedded thumbnail; 0 without one.
  var thumbnail: UInt32 {
    get { main.next }
    set {
      guard newValue != main.next else { return }
      main.next = newValue
      main.isChanged = true
    }
  }

  /// What the block says of the orientation; nil where it says nothing of sense.
  var orientation: ImageOrientation? {
    main.entries.first { $0.tag == Tag.orientation && $0.type == 3 && (1...2).contains($0.count) }
      .map { isBigEndian ? $0.field >> 16 : UInt32($0.field.byteSwapped & 0xFFFF) }
      .flatMap { ImageOrientation(rawValue: Int($0)) }
  }
}

// MARK: - Writing

extension ExifBlock {
  /// The whole TIFF structure with the changes.
  consuming func serialized() -> [UInt8] {
    var result = self
    result.writeTable(.exif, pointedToBy: Tag.exifDirectory)
    result.writeTable(.location, pointedToBy: Tag.locationDirectory)
    let newThumbnail = result.newThumbnail
    let small = newThumbnail.map { result.appendThumbnailDirectory(byteCount: $0.count) }
    if let small { result.thumbnail = small.place }
    // A main directory must have an entry.
    if result.main.entries.isEmpty, !result.bytes.isEmpty {
      result.set(Tag.orientation, in: .main, short: UInt16(ImageOrientation.up.rawValue))
    }
    if let place = result.write(result.main) { result.write(place, at: 4) }
    if let small, let newThumbnail {
      // At the very end, so that it can be taken away again.
      result.write(result.placeOfNextValue(), at: small.offsetPlace)
      result.bytes += newThumbnail
    }
    return result.bytes
  }

  private mutating func writeTable(_ directory: Directory, pointedToBy tag: UInt16) {
    let table = self[directory]
    guard table.isChanged else { return }
    if table.entries.isEmpty {
      if let range = table.range { erase(range) }
      remove(tag, in: .main)
    } else if let place = write(table) {
      set(tag, in: .main, long: place)
    }
  }

  /// Writes a directory where it lies, or behind all that is there; nil where nothing has changed.
  private mutating func write(_ table: Table) -> UInt32? {
    guard table.isChanged else { return nil }
    guard let range = table.range, table.entries.count <= table.room,
      range.upperBound <= bytes.count
    else {
      return append(table.entries, next: table.next)
    }
    let written = directoryBytes(table.entries, next: table.next)
    bytes.replaceSubrange(
      range, with: written + [UInt8](repeating: 0, count: range.count - written.count))
    return UInt32(range.lowerBound)
  }

  /// Writes a directory at the end.
  mutating func append(_ entries: [Entry], next: UInt32) -> UInt32 {
    let place = placeOfNextValue()
    bytes += directoryBytes(entries, next: next)
    return place
  }

  /// Readers want the tags in order.
  func directoryBytes(_ entries: [Entry], next: UInt32) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 6 + 12 * entries.count)
    var bytes = result.mutableSpan
    put(UInt16(truncatingIfNeeded: entries.count), at: 0, in: &bytes)
    var place = 2
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      put(entry.tag, at: place, in: &bytes)
      put(entry.type, at: place + 2, in: &bytes)
      put(entry.count, at: place + 4, in: &bytes)
      put(long(entry.field), at: place + 8, in: &bytes)
      place += 12
    }
    put(next, at: place, in: &bytes)
    return result
  }

  /// Values begin at even places.
  mutating func placeOfNextValue() -> UInt32 {
    if bytes.count & 1 == 1 { bytes.append(0) }
    return UInt32(bytes.count)
  }
}
