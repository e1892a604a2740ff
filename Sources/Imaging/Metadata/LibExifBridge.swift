import CLibExif
import Foundation

/// The only place that hands pointers to libexif.
enum LibExifBridge {
  /// Reads what a segment says; what it does not say, or says without sense, stays as it was.
  ///
  /// - Parameters:
  ///   - segment: The content of an APP1 segment, from the letters `Exif`.
  ///   - metadata: What is filled.
  static func read(_ segment: RawSpan, into metadata: inout ImageMetadata) {
    guard let data = exif_data_new() else { return }
    defer { exif_data_unref(data) }
    // libexif would fill in what the standard asks for and the camera left out.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    segment.withUnsafeBytes { bytes in
      exif_data_load_data(
        data, bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
        UInt32(clamping: bytes.count))
    }
    Reader(data: data).fill(&metadata)
  }
}

private struct Reader {
  let data: UnsafeMutablePointer<ExifData>

  func fill(_ metadata: inout ImageMetadata) {
    if let value = short(EXIF_TAG_ORIENTATION, in: data.pointee.ifd.0),
      let orientation = ImageOrientation(rawValue: value)
    {
      metadata.orientation = orientation
    }
    metadata.make = text(EXIF_TAG_MAKE, in: main)
    metadata.model = text(EXIF_TAG_MODEL, in: main)
    metadata.software = text(EXIF_TAG_SOFTWARE, in: main)
    metadata.imageDescription = text(EXIF_TAG_IMAGE_DESCRIPTION, in: main)
    metadata.exposureTime = fraction(EXIF_TAG_EXPOSURE_TIME, in: exif)
    metadata.isoSpeed = sensitivity
    metadata.fNumber = fraction(EXIF_TAG_FNUMBER, in: exif)
    metadata.focalLength = fraction(EXIF_TAG_FOCAL_LENGTH, in: exif)
    if let width = short(EXIF_TAG_PIXEL_X_DIMENSION, in: exif),
      let height = short(EXIF_TAG_PIXEL_Y_DIMENSION, in: exif)
    {
      metadata.writtenSize.value = PixelSize(width: width, height: height)
    }
    metadata.location = readLocation()
    fillDate(&metadata)
  }

  private var main: UnsafeMutablePointer<ExifContent>? { data.pointee.ifd.0 }
  private var exif: UnsafeMutablePointer<ExifContent>? { data.pointee.ifd.2 }
  private var place: UnsafeMutablePointer<ExifContent>? { data.pointee.ifd.3 }

  /// Where two bytes do not hold it, another tag has the number; which one says a third tag.
  private var sensitivity: Int? {
    typealias Tag = ExifBlock.Tag
    func number(_ tag: UInt16) -> Int? { short(ExifTag(rawValue: UInt32(tag)), in: exif) }
    let speed = number(Tag.sensitivity)
    guard speed == Int(UInt16.max) else { return speed }
    let tag: UInt16? =
      switch number(Tag.sensitivityType) {
      case 1: Tag.standardOutputSensitivity
      case 3: Tag.isoSpeed
      case 2, 4, 6, 7: Tag.recommendedExposureIndex
      case 5: Tag.standardOutputSensitivity
      default: nil
      }
    return tag.flatMap(number) ?? speed
  }

  private func fillDate(_ metadata: inout ImageMetadata) {
    typealias Tag = ExifBlock.Tag
    let places = [
      (
        EXIF_TAG_DATE_TIME_ORIGINAL, exif, EXIF_TAG_SUB_SEC_TIME_ORIGINAL, Tag.offsetTimeOriginal
      ),
      (
        EXIF_TAG_DATE_TIME_DIGITIZED, exif, EXIF_TAG_SUB_SEC_TIME_DIGITIZED,
        Tag.offsetTimeDigitized
      ),
      (EXIF_TAG_DATE_TIME, main, EXIF_TAG_SUB_SEC_TIME, Tag.offsetTime),
    ]
    for (tag, directory, fraction, offset) in places {
      guard let written = text(tag, in: directory) else { continue }
      let zone = text(ExifTag(rawValue: UInt32(offset)), in: exif).flatMap(ExifTime.secondsFromGMT)
      guard
        let date = ExifTime.date(
          written, subseconds: text(fraction, in: exif), secondsFromGMT: zone)
      else { continue }
      metadata.dateTaken = date
      metadata.timeZoneOffset = zone
      return
    }
  }
}

// MARK: - Values

extension Reader {
  private func entry(
    _ tag: ExifTag, in directory: UnsafeMutablePointer<ExifContent>?, bytes: Int
  ) -> ExifEntry? {
    guard let directory, let entry = exif_content_get_entry(directory, tag)?.pointee,
      entry.data != nil, Int(entry.size) >= bytes
    else { return nil }
    return entry
  }

  private func short(
    _ tag: ExifTag, in directory: UnsafeMutablePointer<ExifContent>?
  ) -> Int? {
    guard let entry = entry(tag, in: directory, bytes: 2), entry.components >= 1 else { return nil }
    let order = exif_data_get_byte_order(data)
    switch entry.format {
    case EXIF_FORMAT_SHORT: return Int(exif_get_short(entry.data, order))
    case EXIF_FORMAT_LONG where entry.size >= 4: return Int(exif_get_long(entry.data, order))
    default: return nil
    }
  }

  private func fraction(
    _ tag: ExifTag, in directory: UnsafeMutablePointer<ExifContent>?
  ) -> ImageMetadata.Fraction? {
    fractions(tag, in: directory, count: 1)?.first
  }

  /// This many fractions; nil where there are fewer.
  private func fractions(
    _ tag: ExifTag, in directory: UnsafeMutablePointer<ExifContent>?, count: Int
  ) -> [ImageMetadata.Fraction]? {
    guard let entry = entry(tag, in: directory, bytes: 8 * count),
      entry.format == EXIF_FORMAT_RATIONAL
    else { return nil }
    return (0..<count).map {
      let value = exif_get_rational(entry.data + 8 * $0, exif_data_get_byte_order(data))
      return ImageMetadata.Fraction(value.numerator, value.denominator)
    }
  }

  /// Text up to its first zero; blanks at the end are filling.
  private func text(
    _ tag: ExifTag, in directory: UnsafeMutablePointer<ExifContent>?
  ) -> String? {
    guard let entry = entry(tag, in: directory, bytes: 1), entry.format == EXIF_FORMAT_ASCII
    else { return nil }
    let bytes = UnsafeBufferPointer(start: entry.data, count: Int(entry.size))
    let isASCIIBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var written = bytes.prefix { $0 != 0 }
    while let last = written.last, isASCIIBlank(last) { written.removeLast() }
    var text = String(decoding: written, as: UTF8.self)
    // Other blanks are rare, and characters take long to tell apart.
    if let last = written.last, last >= 0x80 {
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    return text.isEmpty ? nil : text
  }
}

// MARK: - Location

extension Reader {
  private func readLocation() -> ImageMetadata.Location? {
    typealias Tag = ExifBlock.LocationTag
    func tag(_ number: UInt16) -> ExifTag { ExifTag(rawValue: UInt32(number)) }
    guard
      let latitude = fractions(tag(Tag.latitude), in: place, count: 3)
        .flatMap(ImageMetadata.Location.degrees),
      let longitude = fractions(tag(Tag.longitude), in: place, count: 3)
        .flatMap(ImageMetadata.Location.degrees)
    else { return nil }
    var location = ImageMetadata.Location(
      latitude: text(tag(Tag.latitudeReference), in: place) == "S" ? -latitude : latitude,
      longitude: text(tag(Tag.longitudeReference), in: place) == "W" ? -longitude : longitude)
    guard location.isSound else { return nil }
    if let altitude = fraction(tag(Tag.altitude), in: place)?.value {
      let reference = entry(tag(Tag.altitudeReference), in: place, bytes: 1)?.data.pointee
      location.altitude = reference == 1 ? -altitude : altitude
    }
    if let day = text(tag(Tag.date), in: place),
      let time = fractions(tag(Tag.time), in: place, count: 3)
    {
      location.timestamp = ExifTime.date(day, timeOfDay: time)
    }
    return location
  }
}
