import Foundation

/// What is said as a TIFF structure.
extension ImageMetadata {
  static let exifHeader: [UInt8] = Array("Exif\0\0".utf8)
  /// The most bytes that a JPEG segment holds beside its length.
  static let segmentLimit = 65_533
  /// The most bytes of a TIFF structure in one.
  static let segmentRoom = 65_527

  /// The structure for a picture that has none yet. Readers, libexif for one, want no more than a
  /// JPEG segment of other files either.
  func exif(size: PixelSize, room: Int = segmentRoom) throws(ImagingError) -> [UInt8] {
    var block = ExifBlock.usual
    block.reserveRoom()
    try write(to: &block, size: size)
    return try Self.checked(block.serialized(), room)
  }

  /// The structure for a JPEG picture that keeps what a camera wrote.
  ///
  /// - Parameters:
  ///   - cameras: The camera's own structure, if it makes sense; one that fills the segment goes.
  ///   - size: The stored picture's size.
  /// - Returns: Bytes that have room in a segment.
  /// - Throws: `.tooLarge` where there is no room for it, `.invalidMetadata` for what EXIF cannot
  ///   say.
  func exif(changing cameras: ExifBlock?, size: PixelSize) throws(ImagingError) -> [UInt8] {
    if var block = cameras {
      try write(to: &block, size: size)
      let exif = block.serialized()
      if exif.count <= Self.segmentRoom { return exif }
    }
    return try exif(size: size)
  }

  /// The structure for a JPEG picture with everything about it decided.
  ///
  /// - Parameters:
  ///   - change: What it shall say.
  ///   - thumbnail: What becomes of the embedded thumbnail.
  ///   - old: The structure that the picture has.
  ///   - size: The stored picture's size.
  /// - Returns: Empty where there is nothing to be said.
  /// - Throws: `.tooLarge` where there is no room for it, `.invalidMetadata` for what EXIF cannot
  ///   say.
  static func exif(
    _ change: JPEGPassthrough.MetadataChange, _ thumbnail: JPEGPassthrough.ThumbnailChange,
    replacing old: ExifBlock?, size: PixelSize
  ) throws(ImagingError) -> [UInt8] {
    var block = ExifBlock()
    switch change {
    case .merging(let metadata):
      block = old ?? ExifBlock.usual
      // Before anything is written behind it.
      if !thumbnail.keeps { block.removeThumbnail() }
      try metadata.write(to: &block, size: size)
    case .replacing(let metadata):
      block = ExifBlock.usual
      try metadata.write(to: &block, size: size)
    case .stripping(let orientation) where orientation != .up:
      block.set(ExifBlock.Tag.orientation, in: .main, short: UInt16(orientation.rawValue))
    case .stripping: break
    }
    block.apply(thumbnail, of: old, room: segmentRoom)
    if !block.hasEntries, !block.hasThumbnail { return [] }
    let exif = block.serialized()
    guard exif.count > segmentRoom, case .merging(let metadata) = change, old != nil else {
      return try checked(exif, segmentRoom)
    }
    // The camera's own tags leave no room.
    return try self.exif(.replacing(metadata), thumbnail, replacing: nil, size: size)
  }

  /// The structure that says this of a picture.
  ///
  /// - Parameters:
  ///   - old: What the picture has; its other tags stay. nil where it has none that can be read.
  ///   - size: The stored picture's size, for a new structure.
  ///   - room: The most bytes that it may have.
  /// - Returns: Empty where there is nothing to be said.
  /// - Throws: `.tooLarge` where there is no room for it, `.invalidMetadata` for what EXIF cannot
  ///   say.
  func exifBlock(
    changing old: ExifBlock?, size: PixelSize, room: Int = segmentRoom
  ) throws(ImagingError) -> [UInt8] {
    guard var block = old else { return isEmpty ? [] : try exif(size: size, room: room) }
    // Other files than JPEG may have larger ones.
    let room = block.bytes.count > room ? ExifBlock.maximumByteCount : room
    try write(to: &block, size: nil, removesOthers: true)
    let isDamaged = block.isDamaged
    let changed = try Self.checked(block.serialized(), room)
    return isDamaged ? anew(insteadOf: changed, size: size, room: room) : changed
  }

  /// A new structure where readers see something else in a damaged one than this.
  private func anew(insteadOf changed: [UInt8], size: PixelSize, room: Int) -> [UInt8] {
    let seen = ImageMetadata(readingTIFF: changed.span.bytes)
    guard seen != self, let anew = try? exif(size: size, room: room) else { return changed }
    // Numbers are rounded when they are written.
    return seen == ImageMetadata(readingTIFF: anew.span.bytes) ? changed : anew
  }

  private static func checked(_ exif: [UInt8], _ room: Int) throws(ImagingError) -> [UInt8] {
    guard exif.count <= room else {
      throw ImagingError(
        .tooLarge, "The metadata takes \(exif.count) bytes of EXIF, and there is room for \(room).")
    }
    return exif
  }

  /// Writes what differs from what the block says.
  ///
  /// - Parameters:
  ///   - block: What is changed.
  ///   - size: The stored picture's size; nil where the block keeps what it says of that.
  ///   - removesOthers: Whether tags go that this metadata does not have; otherwise they stay.
  /// - Throws: `.invalidMetadata` for what EXIF cannot say.
  func write(
    to block: inout ExifBlock, size: PixelSize?, removesOthers: Bool = false
  ) throws(ImagingError) {
    typealias Tag = ExifBlock.Tag
    // Reading takes longer than the rest.
    let old = block.isNew ? ImageMetadata() : ImageMetadata(readingTIFF: block.bytes.span.bytes)
    // One that lies elsewhere in the block, where it has no business to, may be overwritten.
    let isWritten =
      block.contains(Tag.orientation, in: .main)
      ? block.orientation == orientation : size == nil && orientation == old.orientation
    if !isWritten {
      block.set(Tag.orientation, in: .main, short: UInt16(orientation.rawValue))
    }
    if let size, old.pixelSize != size {
      block.set(Tag.pixelXDimension, in: .exif, number: size.width)
      block.set(Tag.pixelYDimension, in: .exif, number: size.height)
    }
    if size != nil, !block.contains(Tag.exifVersion, in: .exif) {
      block.set(Tag.exifVersion, in: .exif, undefined: Array("0232".utf8))
    }
    let changes = Changes(old: old, new: self, removesOthers: removesOthers)
    changes.text(Tag.make, from: old.make, to: make, in: &block)
    changes.text(Tag.model, from: old.model, to: model, in: &block)
    changes.text(Tag.software, from: old.software, to: software, in: &block)
    changes.text(Tag.imageDescription, from: old.imageDescription, to: imageDescription, in: &block)
    changes.fraction(Tag.exposureTime, from: old.exposureTime, to: exposureTime, in: &block)
    changes.fraction(Tag.fNumber, from: old.fNumber, to: fNumber, in: &block)
    changes.fraction(Tag.focalLength, from: old.focalLength, to: focalLength, in: &block)
    try changes.sensitivity(in: &block)
    changes.date(in: &block)
    changes.location(in: &block)
  }
}

/// Tags that differ, one after the other.
private struct Changes {
  typealias Tag = ExifBlock.Tag

  let old: ImageMetadata
  let new: ImageMetadata
  let removesOthers: Bool

  func text(_ tag: UInt16, from old: String?, to new: String?, in block: inout ExifBlock) {
    guard new != old else { return }
    if let new {
      block.set(tag, in: .main, text: new)
    } else if removesOthers {
      block.remove(tag, in: .main)
    }
  }

  func fraction(
    _ tag: UInt16, from old: ImageMetadata.Fraction?, to new: ImageMetadata.Fraction?,
    in block: inout ExifBlock
  ) {
    guard new != old else { return }
    if let new {
      block.set(tag, in: .exif, fraction: new)
    } else if removesOthers {
      block.remove(tag, in: .exif)
    }
  }

  /// Two bytes hold 65 535 at most: for more the tag says that, and another one the number (CIPA
  /// DC-008, 4.6.5, sensitivity type).
  func sensitivity(in block: inout ExifBlock) throws(ImagingError) {
    guard new.isoSpeed != old.isoSpeed else { return }
    guard let speed = new.isoSpeed else {
      if removesOthers {
        for tag in Self.sensitivityTags + Tag.isoSpeedLatitudes { block.remove(tag, in: .exif) }
      }
      return
    }
    guard let number = UInt32(exactly: speed) else {
      throw ImagingError(
        .invalidMetadata,
        "EXIF cannot say a sensitivity of ISO \(speed): only 0 to \(UInt32.max).")
    }
    block.set(Tag.sensitivity, in: .exif, short: UInt16(clamping: number))
    // What the camera wrote there must not contradict.
    for tag in Self.longSensitivityTags where block.contains(tag, in: .exif) {
      block.set(tag, in: .exif, long: number)
    }
    guard number >= UInt16.max else { return }
    block.set(Tag.sensitivityType, in: .exif, short: Self.recommendedExposureIndex)
    block.set(Tag.recommendedExposureIndex, in: .exif, long: number)
  }

  private static let recommendedExposureIndex: UInt16 = 2
  private static let longSensitivityTags = [
    Tag.standardOutputSensitivity, Tag.recommendedExposureIndex, Tag.isoSpeed,
  ]
  private static let sensitivityTags = [Tag.sensitivity, Tag.sensitivityType] + longSensitivityTags

  func location(in block: inout ExifBlock) {
    guard new.location != old.location else { return }
    if let location = new.location {
      block.set(location, insteadOf: old.location)
    } else if removesOthers {
      _ = block.removeLocation()
    }
  }

  private static let dateTags = [Tag.dateTimeOriginal, Tag.dateTimeDigitized]
  private static let offsetTags = [
    Tag.offsetTime, Tag.offsetTimeOriginal, Tag.offsetTimeDigitized,
  ]
  private static let subsecondTags = [
    Tag.subsecondTime, Tag.subsecondTimeOriginal, Tag.subsecondTimeDigitized,
  ]

  func date(in block: inout ExifBlock) {
    let hasNewZone =
      new.timeZoneOffset != old.timeZoneOffset && (removesOthers || new.timeZoneOffset != nil)
    guard new.dateTaken != old.dateTaken || hasNewZone else { return }
    if let date = new.dateTaken {
      set(date, in: &block)
    } else if removesOthers {
      block.remove(Tag.dateTime, in: .main)
      for tag in Self.dateTags + Self.offsetTags + Self.subsecondTags {
        block.remove(tag, in: .exif)
      }
    }
  }

  private func set(_ date: Date, in block: inout ExifBlock) {
    guard let time = ExifTime(date, secondsFromGMT: new.timeZoneOffset) else { return }
    block.set(Tag.dateTime, in: .main, text: time.text)
    for tag in Self.dateTags { block.set(tag, in: .exif, text: time.text) }
    for tag in Self.offsetTags { block.set(tag, in: .exif, text: time.offset) }
    block.declareZones()
    for tag in Self.subsecondTags {
      if time.subseconds.isEmpty {
        block.remove(tag, in: .exif)
      } else {
        block.set(tag, in: .exif, text: time.subseconds)
      }
    }
  }
}

extension ExifBlock {
  /// Zones came with EXIF 2.31: a block must not say that it is older.
  fileprivate mutating func declareZones() {
    let first = "0231"
    let isOlder = self[.exif].entries.contains {
      $0.tag == Tag.exifVersion && $0.type == 7 && $0.count == 4
        && $0.field < first.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
    if isOlder { set(Tag.exifVersion, in: .exif, undefined: Array(first.utf8)) }
  }

  /// A new block with what CIPA DC-008 calls mandatory and no caller decides.
  fileprivate static let usual: ExifBlock = {
    var block = ExifBlock()
    block.set(Tag.xResolution, in: .main, fraction: .init(72, 1))
    block.set(Tag.yResolution, in: .main, fraction: .init(72, 1))
    block.set(Tag.resolutionUnit, in: .main, short: 2)
    block.set(Tag.chromaPositioning, in: .main, short: 1)
    block.set(Tag.componentsConfiguration, in: .exif, undefined: [1, 2, 3, 0])
    block.set(Tag.flashpixVersion, in: .exif, undefined: Array("0100".utf8))
    block.set(Tag.colorSpace, in: .exif, short: 1)
    return block
  }()
}
