/// The TIFF structure of an EXIF segment, changed without moving anything in it (CIPA DC-008).
///
/// Changed directories are written anew behind the old bytes and the pointers to them are
/// replaced. What else a camera wrote stays where it was: maker notes hold offsets that only their
/// maker knows, and they still hit.
struct ExifBlock {
  /// One entry of a directory, its value field as the file's byte order reads it.
  struct Entry: Hashable {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    var field: [UInt8]
  }

  private var bytes: [UInt8]
  private let isBigEndian: Bool
  private var main: [Entry] = []
  private var exif: [Entry] = []
  /// The place of the directory of the embedded thumbnail; 0 without one.
  private var thumbnail: UInt32 = 0

  /// An empty block.
  init() {
    bytes = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
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
      exif = self.directory(at: Int(value(of: pointer.field)))?.entries ?? []
    }
  }

  /// What the block says of the orientation; nil where it says nothing of sense.
  var orientation: ImageOrientation? {
    main.first { $0.tag == Tag.orientation && $0.type == 3 && $0.count >= 1 }
      .flatMap { number(in: $0.field, at: 0, size: 2) }
      .flatMap { ImageOrientation(rawValue: Int($0)) }
  }

  /// Leaves the embedded thumbnail out: it no longer shows the picture.
  mutating func removeThumbnail() { thumbnail = 0 }
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
    set(tag, in: directory, type: 3, count: 1, bytes: encoded(UInt32(value), size: 2))
  }

  mutating func set(_ tag: UInt16, in directory: Directory, long value: UInt32) {
    set(tag, in: directory, type: 4, count: 1, bytes: encoded(value, size: 4))
  }

  mutating func set(_ tag: UInt16, in directory: Directory, fraction value: ImageMetadata.Fraction)
  {
    let bytes = encoded(value.numerator, size: 4) + encoded(value.denominator, size: 4)
    set(tag, in: directory, type: 5, count: 1, bytes: bytes)
  }

  /// Text ends at its first zero byte, as readers end it.
  mutating func set(_ tag: UInt16, in directory: Directory, text: String) {
    let bytes = text.utf8.prefix { $0 != 0 } + [0]
    set(tag, in: directory, type: 2, count: UInt32(bytes.count), bytes: Array(bytes))
  }

  /// Bytes without a meaning that the TIFF structure knows.
  mutating func set(_ tag: UInt16, in directory: Directory, undefined bytes: [UInt8]) {
    set(tag, in: directory, type: 7, count: UInt32(bytes.count), bytes: bytes)
  }

  private mutating func set(
    _ tag: UInt16, in directory: Directory, type: UInt16, count: UInt32, bytes value: [UInt8]
  ) {
    var field = value
    if field.count > 4 {
      if bytes.count & 1 == 1 { bytes.append(0) }
      field = encoded(UInt32(bytes.count), size: 4)
      bytes += value
    }
    while field.count < 4 { field.append(0) }
    remove(tag, in: directory)
    let entry = Entry(tag: tag, type: type, count: count, field: field)
    switch directory {
    case .main: main.append(entry)
    case .exif: exif.append(entry)
    }
  }

  /// The whole TIFF structure with the changes.
  func serialized() -> [UInt8] {
    var result = self
    if !exif.isEmpty {
      let place = result.append(exif, next: 0)
      result.set(Tag.exifDirectory, in: .main, long: place)
    }
    let place = result.append(result.main, next: thumbnail)
    result.bytes.replaceSubrange(4..<8, with: encoded(place, size: 4))
    return result.bytes
  }

  /// Writes a directory at the end; readers want its tags in order.
  private mutating func append(_ entries: [Entry], next: UInt32) -> UInt32 {
    if bytes.count & 1 == 1 { bytes.append(0) }
    let place = UInt32(bytes.count)
    bytes += encoded(UInt32(entries.count), size: 2)
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      bytes += encoded(UInt32(entry.tag), size: 2)
      bytes += encoded(UInt32(entry.type), size: 2)
      bytes += encoded(entry.count, size: 4)
      bytes += entry.field
    }
    bytes += encoded(next, size: 4)
    return place
  }
}

// MARK: - Reading and writing numbers

extension ExifBlock {
  private func directory(at place: Int) -> (entries: [Entry], next: UInt32)? {
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
        field: Array(bytes[start + 8..<start + 12]))
      return isSound(entry) ? entry : nil
    }
    return (entries, number(at: place + 2 + 12 * count, size: 4) ?? 0)
  }

  /// Whether the value lies in the block.
  private func isSound(_ entry: Entry) -> Bool {
    let sizes: [UInt16: Int] = [
      1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8,
    ]
    guard let size = sizes[entry.type] else { return false }
    let length = Int(entry.count) * size
    return length <= 4 || Int(value(of: entry.field)) + length <= bytes.count
  }

  private func value(of field: [UInt8]) -> UInt32 { number(in: field, at: 0, size: 4) ?? 0 }

  private func number(at place: Int, size: Int) -> UInt32? {
    number(in: bytes, at: place, size: size)
  }

  private func number(in bytes: [UInt8], at place: Int, size: Int) -> UInt32? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { number, index in
      number << 8 | UInt32(bytes[isBigEndian ? place + index : place + size - 1 - index])
    }
  }

  private func encoded(_ value: UInt32, size: Int) -> [UInt8] {
    (0..<size).map { index in
      UInt8(truncatingIfNeeded: value >> UInt32(8 * (isBigEndian ? size - 1 - index : index)))
    }
  }
}

// MARK: - Tags

extension ExifBlock {
  /// Tag numbers of CIPA DC-008.
  enum Tag {
    static let imageDescription: UInt16 = 0x010E
    static let make: UInt16 = 0x010F
    static let model: UInt16 = 0x0110
    static let orientation: UInt16 = 0x0112
    static let xResolution: UInt16 = 0x011A
    static let yResolution: UInt16 = 0x011B
    static let resolutionUnit: UInt16 = 0x0128
    static let software: UInt16 = 0x0131
    static let dateTime: UInt16 = 0x0132
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
