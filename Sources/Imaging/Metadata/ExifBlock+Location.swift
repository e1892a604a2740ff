/// Taking away of what says where a picture was taken.
extension ExifBlock {
  /// A TIFF structure without the location.
  ///
  /// - Parameters:
  ///   - tiff: The structure as a picture has it.
  ///   - size: The stored picture's size.
  ///   - room: The most bytes that there is room for.
  /// - Returns: As many bytes in the same places, where the structure is sound. Nobody knows what
  ///   is in a damaged one: of that, what can be read is written anew, which may be nothing. Either
  ///   way it says the same orientation.
  static func strippingLocation(
    from tiff: RawSpan, size: PixelSize, room: Int = .max
  ) -> [UInt8] {
    var metadata = ImageMetadata(readingTIFF: tiff)
    if var block = ExifBlock(tiff), block.removeLocation() {
      let stripped = block.serialized()
      let left = ImageMetadata(readingTIFF: stripped.span.bytes)
      // A directory that lies where a value does has to be written elsewhere, which takes room.
      if stripped.count <= room, left.location == nil, left.orientation == metadata.orientation {
        return stripped
      }
    }
    metadata.location = nil
    for text in [\ImageMetadata.make, \.model, \.software, \.imageDescription]
    where LocationWords.areIn(metadata[keyPath: text]) { metadata[keyPath: text] = nil }
    if let anew = try? metadata.exifBlock(changing: nil, size: size, room: room) { return anew }
    // Texts that lie within one another may have no room one behind the other.
    var bare = ExifBlock()
    bare.set(Tag.orientation, in: .main, short: UInt16(metadata.orientation.rawValue))
    return bare.serialized()
  }

  /// Leaves nothing of where the camera was, in any directory; where something was, there are
  /// zeros.
  ///
  /// - Returns: Whether all of it was understood; otherwise something may be left.
  mutating func removeLocation() -> Bool {
    let pointers = [Directory.main, .exif].map { directory in
      self[directory].entries.count { $0.tag == Tag.locationDirectory }
    }
    // Looking for what else lies where each of many entries lies takes long, and helps nobody.
    guard pointers.allSatisfy({ $0 <= 1 }), !contains(Tag.subdirectories, in: .main) else {
      return false
    }
    var isUnderstood =
      self[.location].entries.count == self[.location].room
      && contains(Tag.locationDirectory, in: .main) == (self[.location].place != nil)
    for tag in self[.location].entries.map(\.tag) { remove(tag, in: .location) }
    let isThere = self[.location].place != nil
    // Its directory goes when the block is written, and what points to it.
    self[.location].isChanged = isThere
    for directory in [Directory.main, .exif] {
      if !removeOtherPlaces(in: directory) { isUnderstood = false }
      guard directory == .exif || !isThere else { continue }
      while contains(Tag.locationDirectory, in: directory) {
        if !eraseTable(pointedToBy: Tag.locationDirectory, in: self[directory]) {
          isUnderstood = false
        }
        remove(Tag.locationDirectory, in: directory)
      }
    }
    return removeLocationOfThumbnail() && isUnderstood
  }

  /// No program of sense writes one to the thumbnail's directory, or has a directory behind it.
  private mutating func removeLocationOfThumbnail() -> Bool {
    guard thumbnail != 0, let table = table(at: Int(thumbnail)) else { return true }
    var isUnderstood = table.next == 0
    let tags = table.entries.map(\.tag)
    if tags.contains(Tag.locationDirectory) {
      if !eraseTable(pointedToBy: Tag.locationDirectory, in: table) { isUnderstood = false }
      removeThumbnail()
    } else if tags.contains(Tag.exifDirectory) || tags.contains(Tag.subdirectories) {
      isUnderstood = false
    } else if table.entries.contains(where: saysPlace) {
      removeThumbnail()
    }
    return isUnderstood
  }

  /// False where there is none that can be read.
  private mutating func eraseTable(pointedToBy tag: UInt16, in table: Table) -> Bool {
    guard let lost = pointedTo(by: tag, in: table) else { return false }
    for value in lost.entries.compactMap(valueRange) { erase(value) }
    if let range = lost.range { erase(range) }
    return true
  }
}

// MARK: - Other tags that name places

extension ExifBlock {
  /// False where values lie upon one another, so that looking into them has no end.
  private mutating func removeOtherPlaces(in directory: Directory) -> Bool {
    let entries = self[directory].entries
    let sum = entries.compactMap(valueRange).reduce(0) { $0 + $1.count }
    guard sum <= bytes.count else { return false }
    for tag in Set(entries.filter(saysPlace).map(\.tag)) {
      while contains(tag, in: directory) { remove(tag, in: directory) }
    }
    return true
  }

  private func saysPlace(_ entry: Entry) -> Bool {
    if Self.tagsOfPlaces.contains(entry.tag) { return true }
    guard let range = valueRange(of: entry) else { return false }
    let isText =
      entry.type == 2 || entry.tag == Tag.userComment || Tag.windowsTexts.contains(entry.tag)
    guard isText || entry.type == 1 || entry.type == 7 else { return false }
    // Of UTF-16 the letters are left.
    let value = bytes[range].filter { $0 != 0 }
    return LocationWords.areIn(value, isText ? .text : .anything)
      || entry.tag == Tag.makerNote && namesPlace(makerNote: range)
  }

  /// Whether a maker note is one of those in which cameras are known to write where they are.
  ///
  /// Nobody but its maker knows all of what is in one; towns by which a clock is set do not count.
  private func namesPlace(makerNote range: Range<Int>) -> Bool {
    let span = bytes.span
    if span.bytes.holds("Panasonic\0\0\0", at: range.lowerBound) {
      // Location, country, state, city, landmark; three hyphens for none.
      let names: [UInt16] = [0x67, 0x69, 0x6B, 0x6D, 0x6F]
      let entries = table(at: range.lowerBound + 12)?.entries ?? []
      return entries.contains { entry in
        names.contains(entry.tag)
          && valueRange(of: entry).map { ![0, 0x20, 0x2D].contains(bytes[$0.lowerBound]) } == true
      }
    }
    guard span.bytes.holds("Nikon\0", at: range.lowerBound), range.count > 10,
      let note = ExifBlock(span.bytes.extracting(range.dropFirst(10)))
    else { return false }
    // Version, encoding, country, kind of place, and from the tenth byte on its name.
    let places = note[.main].entries.filter { $0.tag == 0x39 }.compactMap(note.valueRange)
    return places.contains { note.bytes[$0].dropFirst(9).contains { $0 != 0 } }
  }
}
