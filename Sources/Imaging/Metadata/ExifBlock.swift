/// The TIFF structure of an EXIF segment, changed with as little movement as can be (CIPA DC-008).
///
/// A value that has the size of the old one takes its place. What else has to be said is written
/// behind the old bytes: the value, and its directory where that has no room for another entry;
/// pointers are replaced. Nothing else moves: maker notes hold offsets that only their maker knows,
/// and they still hit. What is written behind has a mark, by which the next edit finds it again and
/// writes it anew: a block does not grow with the number of its edits.
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
    mutating func giveUpPlace() {
      (place, room) = (nil, 0)
      for index in entries.indices { entries[index].place = nil }
    }
  }

  var bytes: [UInt8]
  let isBigEndian: Bool
  /// Whether the block was not read from a picture.
  let isNew: Bool
  /// Where the bytes begin that this library has appended, and may lay out anew.
  private(set) var ownStart = 0
  /// Whether a directory was not read whole, so that others may see something else in it.
  private(set) var isDamaged = false
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
    guard let place = long(at: 4), let table = table(at: Int(place)) else { return nil }
    main = table
    exif = pointedTo(by: Tag.exifDirectory, in: main) ?? Table()
    location = pointedTo(by: Tag.locationDirectory, in: main) ?? Table()
    isDamaged =
      Directory.allCases.contains { self[$0].entries.count != self[$0].room }
      || contains(Tag.exifDirectory, in: .main) != (exif.place != nil)
      || contains(Tag.locationDirectory, in: .main) != (location.place != nil)
    // All of them are looked at before the first one gives up its place.
    for directory in Directory.allCases.filter(isShared) { self[directory].giveUpPlace() }
    ownStart = markedStart ?? bytes.count
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

  /// What the main directory itself says of the orientation; nil where it says nothing of sense.
  var orientation: ImageOrientation? {
    main.entries.first { $0.tag == Tag.orientation }.flatMap(number(of:))
      .flatMap { ImageOrientation(rawValue: Int($0)) }
  }

  /// Takes the bytes away that lie at the very end.
  mutating func removeLast(_ count: Int) {
    bytes.removeLast(count)
    ownStart = min(ownStart, bytes.count)
  }
}
