import Foundation

/// The directory that follows the main one and holds a small JPEG picture (CIPA DC-008, 4.6.5,
/// IFD1).
extension ExifBlock {
  /// Where the small picture lies in the block; nil where there is none, or what is said of it
  /// makes no sense.
  var thumbnailRange: Range<Int>? {
    guard thumbnail != 0, let entries = table(at: Int(thumbnail))?.entries,
      let range = placeSaid(by: Tag.thumbnailOffset, Tag.thumbnailByteCount, in: entries),
      bytes[range.lowerBound] == 0xFF,
      bytes[range.lowerBound + 1] == JPEGStructure.Marker.start
    else { return nil }
    return range
  }

  /// Where something lies whose place and length two entries say.
  private func placeSaid(by place: UInt16, _ count: UInt16, in entries: [Entry]) -> Range<Int>? {
    func value(of tag: UInt16) -> Int? {
      entries.first { $0.tag == tag }.flatMap(number(of:)).map(Int.init)
    }
    guard let start = value(of: place), let count = value(of: count), count >= 4,
      start + count <= bytes.count
    else { return nil }
    return start..<start + count
  }

  var hasThumbnail: Bool { thumbnail != 0 || newThumbnail != nil }

  /// Leaves the embedded thumbnail out: it no longer shows the picture.
  mutating func removeThumbnail() {
    newThumbnail = nil
    guard thumbnail != 0 else { return }
    let (range, table) = (thumbnailRange, table(at: Int(thumbnail)))
    thumbnail = 0
    // What a picture showed once must not stay in it.
    for value in table?.entries.compactMap(valueRange) ?? [] { erase(value) }
    if let rows = placeSaid(by: Tag.stripOffset, Tag.stripByteCount, in: table?.entries ?? []) {
      erase(rows)
    }
    if let place = table?.range { erase(place) }
    guard let range else { return }
    erase(range)
    // Where nothing lies behind it, its bytes go too; elsewhere offsets would no longer hit.
    if range.upperBound == bytes.count, isAlone(range) { removeLast(range.count) }
  }

  /// Zeros further small pictures, which cameras have in their maker notes: they still show what the
  /// picture no longer does. Nothing moves, and no other value is touched.
  mutating func eraseOtherPictures() {
    let own = thumbnailRange ?? 0..<0
    var place = 8
    while let start = JPEGStructure.placeOfStart(in: bytes.span.bytes, from: place) {
      place = own.contains(start) ? own.upperBound : start + 2
      guard let range = otherPicture(at: start), !range.overlaps(own) else { continue }
      for index in range { bytes[index] = 0 }
      place = range.upperBound
    }
  }

  /// A picture that is all alone, or within a single value; nil for bytes that look like one.
  private func otherPicture(at start: Int) -> Range<Int>? {
    let span = bytes.span
    let holder = Directory.allCases.flatMap { self[$0].entries }.first {
      valueRange(of: $0)?.contains(start) == true
    }
    let limit = holder.flatMap(valueRange)?.upperBound ?? bytes.count
    guard
      let picture = try? JPEGStructure(walking: span.bytes.extracting(start..<limit)),
      let end = picture.end.map({ start + $0 }) ?? holder.map({ _ in limit })
    else { return nil }
    return isAlone(start..<end, for: holder?.tag) ? start..<end : nil
  }

  /// Writes the directory of a new thumbnail.
  ///
  /// - Returns: The directory's place, and the place that the small picture's own place is to be
  ///   written to.
  mutating func appendThumbnailDirectory(byteCount: Int) -> (place: UInt32, offsetPlace: Int) {
    let resolution = placeOfNextValue()
    bytes.append(contentsOf: repeatElement(0, count: 8))
    write(72, at: Int(resolution))
    write(1, at: Int(resolution) + 4)
    let entries = [
      shortEntry(Tag.compression, 6),
      Entry(tag: Tag.xResolution, type: 5, count: 1, field: long(resolution)),
      Entry(tag: Tag.yResolution, type: 5, count: 1, field: long(resolution)),
      shortEntry(Tag.resolutionUnit, 2),
      Entry(tag: Tag.thumbnailOffset, type: 4, count: 1, field: 0),
      Entry(
        tag: Tag.thumbnailByteCount, type: 4, count: 1, field: long(UInt32(clamping: byteCount))),
    ]
    let place = append(entries, next: 0)
    return (place, Int(place) + 2 + 12 * 4 + 8)
  }

  private func shortEntry(_ tag: UInt16, _ value: UInt16) -> Entry {
    Entry(
      tag: tag, type: 3, count: 1,
      field: isBigEndian ? UInt32(value) << 16 : UInt32(value).byteSwapped)
  }

  /// Bytes of a directory with six entries and what goes with it, on the safe side.
  private static let directoryRoom = 128

  /// Does to the thumbnail what is asked, in a block that has none but one to be kept.
  ///
  /// One that there is no room for beside what else is said is left out.
  ///
  /// - Parameters:
  ///   - change: What becomes of it.
  ///   - old: The block that the picture had, where this is another one.
  ///   - room: The most bytes that the whole block may have.
  mutating func apply(
    _ change: JPEGPassthrough.ThumbnailChange, of old: ExifBlock?, room: Int
  ) {
    switch change {
    case .keeping:
      guard thumbnail == 0, let old, let range = old.thumbnailRange,
        range.count <= room - serialized().count - Self.directoryRoom
      else { return }
      newThumbnail = Array(old.bytes[range])
    case .removing: break
    case .replacing(let pixels):
      let rest = room - serialized().count - Self.directoryRoom
      newThumbnail = JPEGThumbnail.jpeg(of: pixels, atMost: rest).map { Array($0) }
    }
  }
}

extension JPEGPassthrough.ThumbnailChange {
  var keeps: Bool {
    if case .keeping = self { true } else { false }
  }
}
