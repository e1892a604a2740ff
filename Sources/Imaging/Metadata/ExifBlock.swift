/// The TIFF structure of an EXIF segment, changed without moving anything in it (CIPA DC-008).
///
/// Changed directories are written anew behind the old bytes and the pointers to them are
/// replaced. What else a camera wrote stays where it was: maker notes hold offsets that only their
/// maker knows, and they still hit.
struct ExifBlock {
  /// One entry of a directory.
  struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    /// The four bytes of the value or of its offset, the first one highest.
    var field: UInt32
  }

  var bytes: [UInt8]
  let isBigEndian: Bool
  private var main: [Entry] = []
  private var exif: [Entry] = []
  /// The place of the directory of the embedded thumbnail; 0 without one.
  var thumbnail: UInt32 = 0
  /// A small JPEG picture that is to be embedded.
  var newThumbnail: [UInt8]?

  /// An empty block.
  init() {
    bytes = []
    bytes.reserveCapacity(1024)
    bytes += [0x49, 0x49, 42, 0, 0, 0, 0, 0]
    main.reserveCapacity(16)
    exif.reserveCapacity(24)
    isBigEndian = false
  }

  /// Reads a block; nil unless header and main directory are sound.
  ///
  /// Entries whose values lie outside of the block are left out.
  init?(_ tiff: RawSpan) {
    guard tiff.byteCount >= 14, tiff.byteCount <= 0xFFFF else { return nil }
    isBigEndian = tiff.holds("MM\0*", at: 0)
    guard isBigEndian || tiff.holds("II*\0", at: 0) else { return nil }
    bytes = (0..<tiff.byteCount).map { tiff.byte(at: $0) ?? 0 }
    guard let place = number(at: 4, size: 4), let directory = directory(at: Int(place)) else {
      return nil
    }
    main = directory.entries
    thumbnail = directory.next
    if let pointer = main.first(where: { $0.tag == Tag.exifDirectory }) {
      exif = self.directory(at: Int(long(pointer.field)))?.entries ?? []
    }
  }

  var hasEntries: Bool { !main.isEmpty || !exif.isEmpty }

  /// What the block says of the orientation; nil where it says nothing of sense.
  var orientation: ImageOrientation? {
    main.first { $0.tag == Tag.orientation && $0.type == 3 && $0.count >= 1 }
      .map { isBigEndian ? $0.field >> 16 : UInt32($0.field.byteSwapped & 0xFFFF) }
      .flatMap { ImageOrientation(rawValue: Int($0)) }
  }
}

// MARK: - Changing

extension ExifBlock {
  /// The two directories that hold what this library writes.
  enum Directory { case main, exif }

  func contains(_ tag: UInt16, in directory: Directory) -> Bool {
    (directory == .main ? main : exif).contains { $0.tag == tag }
  }

  mutating func remove(_ tag: UInt16, in directory: Directory) {
    switch directory {
    case .main: main.removeAll { $0.tag == tag }
    case .exif: exif.removeAll { $0.tag == tag }
    }
  }

  mutating func set(_ tag: UInt16, in directory: Directory, short value: UInt16) {
    let field = isBigEndian ? UInt32(value) << 16 : UInt32(value).byteSwapped
    set(Entry(tag: tag, type: 3, count: 1, field: field), in: directory)
  }

  mutating func set(_ tag: UInt16, in directory: Directory, long value: UInt32) {
    set(Entry(tag: tag, type: 4, count: 1, field: long(value)), in: directory)
  }

  mutating func set(_ tag: UInt16, in directory: Directory, fraction value: ImageMetadata.Fraction)
  {
    set(Entry(tag: tag, type: 5, count: 1, field: long(placeOfNextValue())), in: directory)
    append(value.numerator)
    append(value.denominator)
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
    set(tag, in: directory, type: 2, bytes: characters)
  }

  /// Bytes without a meaning that the TIFF structure knows.
  mutating func set(_ tag: UInt16, in directory: Directory, undefined bytes: [UInt8]) {
    set(tag, in: directory, type: 7, bytes: bytes)
  }

  private mutating func set(
    _ tag: UInt16, in directory: Directory, type: UInt16, bytes value: [UInt8]
  ) {
    var field: UInt32 = 0
    if value.count > 4 {
      field = long(placeOfNextValue())
      bytes += value
    } else {
      for (index, byte) in value.enumerated() { field |= UInt32(byte) << UInt32(24 - 8 * index) }
    }
    set(Entry(tag: tag, type: type, count: UInt32(value.count), field: field), in: directory)
  }

  private mutating func set(_ entry: Entry, in directory: Directory) {
    switch directory {
    case .main: Self.replace(entry, in: &main)
    case .exif: Self.replace(entry, in: &exif)
    }
  }

  private static func replace(_ entry: Entry, in entries: inout [Entry]) {
    if let index = entries.firstIndex(where: { $0.tag == entry.tag }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
  }

  /// Values begin at even places.
  mutating func placeOfNextValue() -> UInt32 {
    if bytes.count & 1 == 1 { bytes.append(0) }
    return UInt32(bytes.count)
  }

  /// The whole TIFF structure with the changes.
  func serialized() -> [UInt8] {
    var result = self
    if !exif.isEmpty {
      let place = result.append(exif, next: 0)
      result.set(Tag.exifDirectory, in: .main, long: place)
    }
    let small = newThumbnail.map { result.appendThumbnailDirectory(byteCount: $0.count) }
    let place = result.append(result.main, next: small?.place ?? thumbnail)
    result.write(place, at: 4)
    if let small, let newThumbnail {
      // At the very end, so that it can be taken away again.
      result.write(result.placeOfNextValue(), at: small.offsetPlace)
      result.bytes += newThumbnail
    }
    return result.bytes
  }

  private mutating func write(_ value: UInt32, at place: Int) {
    let ordered = long(value)
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: ordered >> UInt32(24 - 8 * index))
    }
  }

  /// Writes a directory at the end; readers want its tags in order.
  mutating func append(_ entries: [Entry], next: UInt32) -> UInt32 {
    let place = placeOfNextValue()
    bytes.reserveCapacity(bytes.count + 6 + 12 * entries.count)
    append(UInt16(truncatingIfNeeded: entries.count))
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      append(entry.tag)
      append(entry.type)
      append(entry.count)
      append(long(entry.field))
    }
    append(next)
    return place
  }
}

// MARK: - Reading and writing numbers

extension ExifBlock {
  func directory(at place: Int) -> (entries: [Entry], next: UInt32)? {
    guard place >= 8, let count = number(at: place, size: 2).map(Int.init), count > 0,
      place + 2 + 12 * count <= bytes.count
    else { return nil }
    let entries = (0..<count).compactMap { index -> Entry? in
      let start = place + 2 + 12 * index
      guard let tag = number(at: start, size: 2), let type = number(at: start + 2, size: 2),
        let count = number(at: start + 4, size: 4)
      else { return nil }
      let entry = Entry(
        tag: UInt16(tag), type: UInt16(type), count: count,
        field: long(number(at: start + 8, size: 4) ?? 0))
      return isSound(entry) ? entry : nil
    }
    return (entries, number(at: place + 2 + 12 * count, size: 4) ?? 0)
  }

  /// Whether the value lies in the block.
  private func isSound(_ entry: Entry) -> Bool {
    // Bytes of one value, by the types that TIFF numbers from 1.
    let sizes: InlineArray<12, Int> = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
    guard (1...12).contains(entry.type) else { return false }
    let size = sizes[Int(entry.type) - 1]
    let length = Int(entry.count) * size
    return length <= 4 || Int(long(entry.field)) + length <= bytes.count
  }

  private func number(at place: Int, size: Int) -> UInt32? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { number, index in
      number << 8 | UInt32(bytes[isBigEndian ? place + index : place + size - 1 - index])
    }
  }

  /// A field's bytes as a number in the block's byte order, and the other way round.
  func long(_ value: UInt32) -> UInt32 { isBigEndian ? value : value.byteSwapped }

  private mutating func append(_ value: UInt16) {
    let ordered = isBigEndian ? value : value.byteSwapped
    bytes.append(UInt8(truncatingIfNeeded: ordered >> 8))
    bytes.append(UInt8(truncatingIfNeeded: ordered))
  }

  mutating func append(_ value: UInt32) {
    append(UInt16(truncatingIfNeeded: isBigEndian ? value >> 16 : value))
    append(UInt16(truncatingIfNeeded: isBigEndian ? value : value >> 16))
  }
}

// MARK: - Tags

extension ExifBlock {
  /// Tag numbers of CIPA DC-008.
  enum Tag {
    static let compression: UInt16 = 0x0103
    static let imageDescription: UInt16 = 0x010E
    static let make: UInt16 = 0x010F
    static let model: UInt16 = 0x0110
    static let orientation: UInt16 = 0x0112
    static let xResolution: UInt16 = 0x011A
    static let yResolution: UInt16 = 0x011B
    static let resolutionUnit: UInt16 = 0x0128
    static let software: UInt16 = 0x0131
    static let dateTime: UInt16 = 0x0132
    static let thumbnailOffset: UInt16 = 0x0201
    static let thumbnailByteCount: UInt16 = 0x0202
    static let chromaPositioning: UInt16 = 0x0213
    static let exifDirectory: UInt16 = 0x8769
    static let exposureTime: UInt16 = 0x829A
    static let isoSpeed: UInt16 = 0x8827
    static let exifVersion: UInt16 = 0x9000
    static let dateTimeOriginal: UInt16 = 0x9003
    static let dateTimeDigitized: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let offsetTimeDigitized: UInt16 = 0x9012
    static let componentsConfiguration: UInt16 = 0x9101
    static let focalLength: UInt16 = 0x920A
    static let subsecondTime: UInt16 = 0x9290
    static let subsecondTimeOriginal: UInt16 = 0x9291
    static let subsecondTimeDigitized: UInt16 = 0x9292
    static let flashpixVersion: UInt16 = 0xA000
    static let colorSpace: UInt16 = 0xA001
    static let pixelXDimension: UInt16 = 0xA002
    static let pixelYDimension: UInt16 = 0xA003
  }
}
