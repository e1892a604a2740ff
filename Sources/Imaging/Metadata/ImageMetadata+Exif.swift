import Foundation

extension ImageMetadata {
  /// The content of an APP1 segment for a picture that has none yet.
  func exifSegment(size: PixelSize) -> [UInt8] {
    var block = ExifBlock()
    block.setWhatExifAsksFor()
    write(to: &block, size: size)
    return Self.exifHeader + block.serialized()
  }

  /// The content of an APP1 segment that keeps what a camera wrote.
  ///
  /// - Parameters:
  ///   - cameras: The TIFF structure of the camera's own segment.
  ///   - size: The stored picture's size.
  ///   - keepsThumbnail: Whether the embedded thumbnail still shows the picture.
  /// - Returns: nil where the camera's segment makes no sense, or nothing fits into it any more.
  func exifSegment(changing cameras: RawSpan, size: PixelSize, keepsThumbnail: Bool) -> [UInt8]? {
    guard var block = ExifBlock(cameras) else { return nil }
    if !keepsThumbnail { block.removeThumbnail() }
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
      if let old { block = old } else { block.setWhatExifAsksFor() }
      // Before anything is written behind it.
      if !thumbnail.keeps { block.removeThumbnail() }
      metadata.write(to: &block, size: size)
    case .replacing(let metadata):
      block.setWhatExifAsksFor()
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

  private static let exifHeader: [UInt8] = Array("Exif\0\0".utf8)
  /// The most bytes that a JPEG segment holds beside its length.
  private static let segmentLimit = 65_533

  /// The beginning of a text: four of them have to leave room in a segment.
  private static func fitting(_ text: String) -> String {
    let limit = 8192
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  private func write(to block: inout ExifBlock, size: PixelSize) {
    typealias Tag = ExifBlock.Tag
    block.set(Tag.orientation, in: .main, short: UInt16(orientation.rawValue))
    block.set(Tag.pixelXDimension, in: .exif, long: UInt32(clamping: size.width))
    block.set(Tag.pixelYDimension, in: .exif, long: UInt32(clamping: size.height))
    if !block.contains(Tag.exifVersion, in: .exif) {
      block.set(Tag.exifVersion, in: .exif, undefined: Array("0232".utf8))
    }
    for (tag, text) in [
      (Tag.make, make), (Tag.model, model), (Tag.software, software),
      (Tag.imageDescription, imageDescription),
    ] {
      if let text { block.set(tag, in: .main, text: Self.fitting(text)) }
    }
    if let exposureTime { block.set(Tag.exposureTime, in: .exif, fraction: exposureTime) }
    if let focalLength { block.set(Tag.focalLength, in: .exif, fraction: focalLength) }
    if let isoSpeed { block.set(Tag.isoSpeed, in: .exif, short: UInt16(clamping: isoSpeed)) }
    if let dateTaken { write(dateTaken, to: &block) }
  }

  private func write(_ date: Date, to block: inout ExifBlock) {
    typealias Tag = ExifBlock.Tag
    guard let time = ExifTime(date, secondsFromGMT: timeZoneOffset) else { return }
    let text = Array(time.text.utf8) + [0]
    let offset = Array(time.offset.utf8) + [0]
    block.set(Tag.dateTime, in: .main, text: text)
    block.set(Tag.dateTimeOriginal, in: .exif, text: text)
    block.set(Tag.dateTimeDigitized, in: .exif, text: text)
    for tag in [Tag.offsetTime, Tag.offsetTimeOriginal, Tag.offsetTimeDigitized] {
      block.set(tag, in: .exif, text: offset)
    }
    for tag in [Tag.subsecondTime, Tag.subsecondTimeOriginal, Tag.subsecondTimeDigitized] {
      if time.subseconds.isEmpty {
        block.remove(tag, in: .exif)
      } else {
        block.set(tag, in: .exif, text: time.subseconds)
      }
    }
  }
}

extension ExifBlock {
  /// What CIPA DC-008 calls mandatory and no caller decides.
  fileprivate mutating func setWhatExifAsksFor() {
    set(Tag.xResolution, in: .main, fraction: .init(72, 1))
    set(Tag.yResolution, in: .main, fraction: .init(72, 1))
    set(Tag.resolutionUnit, in: .main, short: 2)
    set(Tag.chromaPositioning, in: .main, short: 1)
    set(Tag.componentsConfiguration, in: .exif, undefined: [1, 2, 3, 0])
    set(Tag.flashpixVersion, in: .exif, undefined: Array("0100".utf8))
    set(Tag.colorSpace, in: .exif, short: 1)
  }
}
