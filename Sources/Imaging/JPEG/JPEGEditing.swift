import Foundation

/// A whole JPEG picture whose pixels are to be changed.
struct JPEGEditing: ~Copyable, ~Escapable {
  let bytes: RawSpan
  let structure: JPEGStructure
  let limits: Image.Limits

  @_lifetime(copy bytes)
  init(bytes: RawSpan, structure: JPEGStructure, limits: Image.Limits) {
    self.bytes = bytes
    self.structure = structure
    self.limits = limits
  }

  /// The picture with its blocks moved; nil where they do not allow it.
  borrowing func moved(_ edit: PixelEdit) throws(ImagingError) -> Data? {
    let bare: Data
    do throws(ImagingError) {
      guard
        let data = try LibJPEGTransformBridge.transform(bytes, edit, limits: limits)
      else {
        return nil
      }
      bare = data
    } catch {
      // A kind whose blocks cannot be moved may still be one that can be decoded.
      guard error.code == .unsupported else { throw error }
      return nil
    }
    let result = try JPEGStructure(walking: bare.bytes)
    guard result.size == edit.size, result.end != nil else { return nil }
    return try transplanted(into: bare, result, edit, keepsSamples: true)
  }

  /// The picture decoded, changed and encoded again.
  borrowing func reencoded(
    _ edit: PixelEdit, _ quality: Double
  ) throws(ImagingError) -> Data {
    let pixels = try JPEGDecoder.pixels(of: bytes, structure, limits: limits)
    var edited = try edit.applied(to: pixels)
    // What has no colour needs no planes for it.
    if structure.components.count == 1 { edited = try edited.converted(to: .grey) }
    let encoded = try JPEGEncoder(quality: quality).encode(edited)
    let result = try JPEGStructure(walking: encoded.bytes)
    return try transplanted(into: encoded, result, edit, keepsSamples: false)
  }

  /// Gives a newly made picture what the old one said of itself.
  private borrowing func transplanted(
    into new: Data, _ result: JPEGStructure, _ edit: PixelEdit, keepsSamples: Bool
  ) throws(ImagingError) -> Data {
    var old = structure.exif(in: bytes).flatMap { ExifBlock(bytes.extracting($0)) }
    let thumbnail = thumbnail(old, edit, new)
    old?.eraseOtherPictures()
    var metadata = ImageMetadata()
    metadata.orientation = edit.orientation
    let exif = try ImageMetadata.exif(
      .merging(metadata), thumbnail, replacing: old, size: edit.size)
    var head: [UInt8] = []
    head.reserveCapacity(structure.metadataByteCount + exif.count + 4096)
    JPEGPassthrough.append(exif: exif, to: &head)
    appendSegments(to: &head, keepsSamples: keepsSamples)
    for segment in result.keptSegments(in: new.bytes) { head.append(segment.range, of: new.bytes) }
    var picture = Data()
    let scans = result.scan.range.lowerBound..<new.count
    picture.reserveCapacity(head.count + scans.count)
    picture.append(contentsOf: head)
    picture.append(scans, of: new.bytes)
    if let changed = try? JPEGStructure(headersOf: picture.bytes) {
      changed.setOrientationInXMP(of: &picture, to: edit.orientation)
    }
    return picture
  }

  /// Copies what the picture says of itself without small pictures of what is no longer to be seen.
  private borrowing func appendSegments(to head: inout [UInt8], keepsSamples: Bool) {
    let keepsExtension = !structure.extendedXMPHas(.thumbnails, in: bytes)
    // One that has no room in a segment goes on in those that follow.
    var goesOn: UInt8?
    for segment in structure.segments where isAboutThePicture(segment, keepsSamples) {
      if JPEGStructure.isXMP(segment, in: bytes) {
        head += JPEGStructure.xmpSegment(
          segment, in: bytes, without: .thumbnails, keepsExtension: keepsExtension)
      } else if JPEGStructure.isExtendedXMP(segment, in: bytes) {
        if keepsExtension { head.append(segment.range, of: bytes) }
      } else if segment.marker == 0xE2 || segment.marker == 0xFE {
        head.append(segment.range, of: bytes)
      } else {
        appendUnlessPicture(segment, to: &head, goesOn: &goesOn)
      }
    }
  }

  /// Copies a segment of some program's own, unless a small picture begins or goes on in it.
  private borrowing func appendUnlessPicture(
    _ segment: JPEGStructure.Segment, to head: inout [UInt8], goesOn: inout UInt8?
  ) {
    var content = bytes.extracting(segment.content).array
    if goesOn == segment.marker, !content.span.bytes.holds("8BIM", at: 14) { return }
    goesOn = nil
    if segment.marker == 0xED,
      let stripped = PhotoshopResources.strippingThumbnails(from: content)
    {
      content = stripped.content
      if stripped.goesOn { goesOn = segment.marker }
    }
    guard JPEGStructure.placeOfStart(in: content.span.bytes) == nil else {
      goesOn = segment.marker
      return
    }
    let length = content.count + 2
    head += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 255)]
    head += content
  }

  /// Application segments and comments that still hold.
  private borrowing func isAboutThePicture(
    _ segment: JPEGStructure.Segment, _ keepsSamples: Bool
  ) -> Bool {
    switch segment.marker {
    case 0xFE, 0xE3...0xED, 0xEF: true
    case JPEGStructure.Marker.app1: !JPEGStructure.isExif(segment, in: bytes)
    // A profile of CMYK inks is none for the RGB that such a picture was decoded to; other content
    // of APP2 is offsets to further pictures, which would no longer hit.
    case 0xE2:
      (keepsSamples || structure.components.count < 4)
        && bytes.holds("ICC_PROFILE\0", at: segment.content.lowerBound)
    default: false
    }
  }

  /// An embedded thumbnail follows the picture: it is turned, or made anew of a part.
  private borrowing func thumbnail(
    _ old: ExifBlock?, _ edit: PixelEdit, _ new: Data
  ) -> JPEGPassthrough.ThumbnailChange {
    guard let old, let range = old.thumbnailRange else { return .removing }
    let stored = Data(old.bytes[range])
    guard let size = JPEGPassthrough.size(of: stored.bytes), size.pixelCount <= 1 << 20 else {
      return .removing
    }
    let small: PixelBuffer?
    if edit.keepsAll(of: structure.size) {
      let pixels = try? JPEGThumbnail.pixels(of: stored.bytes, fitting: size)
      small = pixels.flatMap { try? LibYUVBridge.oriented($0, by: edit.turn.orientation) }
    } else {
      small = try? JPEGThumbnail.pixels(of: new.bytes, fitting: edit.turn.size(of: size))
    }
    return small.map { .replacing($0) } ?? .removing
  }
}
