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
    return transplanted(into: bare, result, edit, keepsSamples: true)
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
    return transplanted(into: encoded, result, edit, keepsSamples: false)
  }

  /// Gives a newly made picture what the old one said of itself.
  private borrowing func transplanted(
    into new: Data, _ result: JPEGStructure, _ edit: PixelEdit, keepsSamples: Bool
  ) -> Data {
    let old = structure.exif(in: bytes).flatMap { ExifBlock(bytes.extracting($0)) }
    var metadata = ImageMetadata()
    metadata.orientation = edit.orientation
    let exif = ImageMetadata.exifSegment(
      .merging(metadata), thumbnail(old, edit, new), replacing: old, size: edit.size)
    var picture = Data()
    picture.reserveCapacity(new.count + structure.metadataByteCount + exif.count)
    picture.append(contentsOf: JPEGPassthrough.startAndHeader(ofExif: exif))
    picture.append(contentsOf: exif)
    for segment in structure.segments where isAboutThePicture(segment, keepsSamples) {
      append(segment, to: &picture, edit.orientation)
    }
    for segment in result.keptSegments(in: new.bytes) {
      picture.append(segment.range, of: new.bytes)
    }
    picture.append(result.scan.range.lowerBound..<new.count, of: new.bytes)
    return picture
  }

  /// Copies a segment, what it says of the orientation made right and its small pictures left out.
  private borrowing func append(
    _ segment: JPEGStructure.Segment, to picture: inout Data, _ orientation: ImageOrientation
  ) {
    let content = bytes.extracting(segment.content)
    switch segment.marker {
    case JPEGStructure.Marker.app1:
      let start = picture.count
      picture.append(segment.range, of: bytes)
      if let place = XMPPacket.placeOfOrientation(in: content) {
        picture[start + 4 + place] = UInt8(ascii: "0") + UInt8(orientation.rawValue)
      }
    case 0xED:
      let kept = PhotoshopResources.strippingThumbnails(from: content.array) ?? content.array
      let length = kept.count + 2
      picture.append(contentsOf: [0xFF, 0xED, UInt8(length >> 8), UInt8(length & 255)])
      picture.append(contentsOf: kept)
    default: picture.append(segment.range, of: bytes)
    }
  }

  /// Application segments and comments that still hold.
  private borrowing func isAboutThePicture(
    _ segment: JPEGStructure.Segment, _ keepsSamples: Bool
  ) -> Bool {
    switch segment.marker {
    case 0xFE, 0xE3...0xED, 0xEF: true
    case JPEGStructure.Marker.app1: !JPEGStructure.isExif(segment, in: bytes)
    // A profile of CMYK inks is none for the RGB that such a picture was decoded to; other content of APP2
    // is offsets to further pictures, which would no longer hit.
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
