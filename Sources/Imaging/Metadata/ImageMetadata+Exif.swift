import Foundation

extension ImageMetadata {
  /// The content of an APP1 segment for a picture that has none yet.
  func exifSegment(size: PixelSize) -> [UInt8] {
    var block = ExifBlock.usual
    block.reserveRoom()
    write(to: &block, size: size)
    return Self.exifHeader + block.serialized()
  }

  /// The content of an APP1 segment that keeps what a camera wrote.
  ///
  /// - Parameters:
  ///   - cameras: The TIFF structure of the camera's own segment.
  ///   - size: The stored picture's size.
  /// - Returns: nil where the camera's segment makes no sense, or nothing fits into it any more.
  func exifSegment(changing cameras: RawSpan, size: PixelSize) -> [UInt8]? {
    guard var block = ExifBlock(cameras) else { return nil }
    write(to: &block, size: size)
    let segment = Self.exifHeader + block.serialized()
    return segment.count <= Self.segmentLimit ? segment : nil
  }

  /// The content of an APP1 segment with everything about it decided.
  ///
  /// - Parameters:
  ///   - change: What it shall say.
  ///   - thumbnail: What becomes of the embedded thumbnail.
  ///   - old: The segment that the picture has.
  ///   - size: The stored picture's size.
  /// - Returns: Empty where there is nothing to be said.
  static func exifSegment(
    _ change: JPEGPassthrough.MetadataChange, _ thumbnail: JPEGPassthrough.ThumbnailChange,
    replacing old: ExifBlock?, size: PixelSize
  ) -> [UInt8] {
    var block = ExifBlock()
    switch change {
    case .merging(let metadata):
      block = old ?? ExifBlock.usual
      // Before anything is written behind it.
      if !thumbnail.keeps { block.removeThumbnail() }
      metadata.write(to: &block, size: size)
    case .replacing(let metadata):
      block = ExifBlock.usual
      metadata.write(to: &block, size: size)
    case .stripping(let orientation) where orientation != .up:
      block.set(ExifBlock.Tag.orientation, in: .main, short: UInt16(orientation.rawValue))
    case .stripping: break
    }
    block.apply(thumbnail, of: old, room: segmentLimit - exifHeader.count)
    if !block.hasEntries {
      guard block.hasThumbnail else { return [] }
      // A main directory must have an entry.
      block.set(ExifBlock.Tag.orientation, in: .main, short: UInt16(ImageOrientation.up.rawValue))
    }
    let segment = exifHeader + block.serialized()
    guard segment.count > segmentLimit, case .merging(let metadata) = change else { return segment }
    // The camera's own tags leave no room.
    return exifSegment(.replacing(metadata), thumbnail, replacing: nil, size: size)
  }

  /// The TIFF structure that says this of a picture.
  ///
  /// - Parameters:
  ///   - old: What the picture has; its other tags stay. nil where it has none that can be read.
  ///   - size: The stored picture's size, for a new structure.
  /// - Returns: Empty where there is nothing to be said.
  func exifBlock(changing old: ExifBlock?, size: PixelSize) -> [UInt8] {
    guard var block = old else {
      return isEmpty ? [] : [UInt8](exifSegment(size: size).dropFirst(Self.exifHeader.count))
    }
    write(to: &block, size: nil, removesOthers: true)
    return block.serialized()
  }

  static let exifHeader: [UInt8] = Array("Exif\0\0".utf8)
  /// The most bytes that a JPEG segment holds beside its length.
  static let segmentLimit = 65_533

  /// The beginning of a text: four of them have to leave room in a segment.
  fileprivate static func fitting(_ text: String) -> String {
    let limit = 8192
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  /// Writes what differs from what the block says.
  ///
  /// - Parameters:
  ///   - block: What is changed.
  ///   - size: The stored picture's size; nil where the block keeps what it says of that.
  ///   - removesOthers: Whether tags go that this metadata does not have; otherwise they stay.
  func write(to block: inout ExifBlock, size: PixelSize?, removesOthers: Bool = false) {
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
    changes.isoSpeed(in: &block)
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
      block.set(tag, in: .main, text: ImageMetadata.fitting(new))
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

  func isoSpeed(in block: inout ExifBlock) {
    guard new.isoSpeed != old.isoSpeed else { return }
    if let speed = new.isoSpeed {
      block.set(Tag.isoSpeed, in: .exif, short: UInt16(clamping: speed))
    } else if removesOthers {
      block.remove(Tag.isoSpeed, in: .exif)
    }
  }

  func location(in block: inout ExifBlock) {
    guard new.location != old.location else { return }
    if let location = new.location {
      block.set(location)
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
    let text = Array(time.text.utf8) + [0]
    block.set(Tag.dateTime, in: .main, text: text)
    for tag in Self.dateTags { block.set(tag, in: .exif, text: text) }
    let offset = Array(time.offset.utf8) + [0]
    for tag in Self.offsetTags { block.set(tag, in: .exif, text: offset) }
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
