public import Foundation

/// Turns, mirrors and crops JPEG pictures, without loss where their blocks of samples allow it.
public enum JPEGTransform {
  /// How a picture was changed.
  public enum Outcome: Hashable, Sendable {
    /// Blocks of samples were moved, and nothing is lost.
    case lossless
    /// Blocks were moved, and the odd pixels at an edge cut off.
    case trimmed
    /// The picture was decoded and encoded again.
    case reencoded
    /// The pixels are as they were; the orientation tag tells how they are to be shown.
    case tagged
  }

  /// Makes a picture upright whose pixels need an orientation to be shown so.
  ///
  /// Blocks of samples are moved without decoding where the picture consists of whole ones.
  /// Otherwise the picture is decoded and encoded again at a high quality: leaving the odd blocks
  /// where they were would leave a strip at the wrong edge, cutting them off would lose pixels.
  ///
  /// - Parameters:
  ///   - jpeg: A whole JPEG picture. What its own EXIF says of the orientation is not asked.
  ///   - orientation: The orientation that the stored pixels need.
  /// - Returns: The picture with one EXIF segment, which says `.up`, keeps the other tags and has
  ///   its thumbnail turned, too; and whether the samples were only moved.
  /// - Throws: `.corrupt` or `.incomplete` where the picture is damaged, `.unsupported` where it is
  ///   of a kind that cannot be decoded.
  public static func oriented(
    _ jpeg: Data, by orientation: ImageOrientation
  ) throws(ImagingError) -> (data: Data, isLossless: Bool) {
    let (data, outcome) = try oriented(jpeg, by: orientation, oddEdges: .reencode())
    return (data, outcome == .lossless)
  }

  /// Makes a picture upright, with a choice for those that do not consist of whole blocks.
  ///
  /// A progressive picture stays one. Arithmetic coding becomes Huffman's, which all programs read,
  /// and restart markers are left out.
  ///
  /// - Parameters:
  ///   - jpeg: A whole JPEG picture. What its own EXIF says of the orientation is not asked.
  ///   - orientation: The orientation that the stored pixels need.
  ///   - oddEdges: What to do where whole blocks do not make up the picture's sides.
  /// - Returns: The picture with one EXIF segment, as `oriented(_:by:)` makes it, and how it was
  ///   turned.
  /// - Throws: As `oriented(_:by:)`; and `.unsupported` where that was asked for.
  public static func oriented(
    _ jpeg: Data, by orientation: ImageOrientation, oddEdges: OddEdges
  ) throws(ImagingError) -> (data: Data, outcome: Outcome) {
    let structure = try JPEGStructure(walking: jpeg.bytes)
    let edit = PixelEdit(
      rect: PixelRect(structure.size), turn: PixelTurn(undoing: orientation), orientation: .up)
    return try edited(jpeg.bytes, edit, oddEdges: oddEdges)
  }

  /// A part of a picture, turned.
  ///
  /// - Parameters:
  ///   - jpeg: A JPEG picture; its end marker may be missing where its pixels are all there.
  ///   - edit: The part, which must lie within the stored picture, and how it is turned.
  ///   - oddEdges: What to do where blocks do not allow it.
  ///   - limits: What the work may cost.
  /// - Returns: The picture and how it was changed.
  /// - Throws: `.corrupt`, `.incomplete`, `.tooLarge`, `.unsupported`.
  static func edited(
    _ jpeg: RawSpan, _ edit: PixelEdit, oddEdges: OddEdges, limits: Image.Limits = .standard
  ) throws(ImagingError) -> (data: Data, outcome: Outcome) {
    let outer = try JPEGStructure(walking: jpeg)
    try limits.check(outer.size)
    guard let end = outer.end else {
      let whole = try JPEGPassthrough.completing(jpeg)
      return try edited(whole.bytes, edit, oddEdges: oddEdges, limits: limits)
    }
    guard edit.turn != .none || !edit.keepsAll(of: outer.size) else {
      var metadata = ImageMetadata()
      metadata.orientation = edit.orientation
      return (try JPEGPassthrough.photo(from: jpeg, metadata: metadata), .lossless)
    }
    // From here on without what lies before and after the picture; places count from its start.
    let picture = JPEGEditing(
      bytes: jpeg.extracting(outer.start..<end),
      structure: try JPEGStructure(walking: jpeg.extracting(outer.start..<end)), limits: limits)
    if let data = try picture.moved(edit) { return (data, .lossless) }
    switch oddEdges {
    case .reencode(let quality): return (try picture.reencoded(edit, quality), .reencoded)
    case .trim:
      if let trimmed = edit.trimmed(toUnits: outer.unit), let data = try picture.moved(trimmed) {
        return (data, .trimmed)
      }
      throw ImagingError(
        .unsupported,
        "\(edit.rect) of a JPEG are too few pixels to be cut out or turned without loss.")
    case .exifOnly where edit.keepsAll(of: outer.size):
      var metadata = ImageMetadata()
      metadata.orientation = edit.turn.orientation
      return (try JPEGPassthrough.photo(from: jpeg, metadata: metadata), .tagged)
    case .exifOnly, .fail:
      throw ImagingError(
        .unsupported,
        "\(edit.rect) of a JPEG cannot be cut out or turned without loss: its sides are no whole "
          + "blocks of samples.")
    }
  }
}

extension JPEGStructure {
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// The pixels that the smallest unit of blocks stands for, which can be moved.
  var unit: PixelSize {
    // The only component of a picture is coded block by block, whatever its factors.
    guard components.count > 1 else { return PixelSize(width: 8, height: 8) }
    return PixelSize(
      width: 8 * (components.map(\.horizontal).max() ?? 1),
      height: 8 * (components.map(\.vertical).max() ?? 1))
  }
}

extension PixelSize {
  /// The size that a picture stored in this one has when it is shown.
  func shown(by orientation: ImageOrientation) -> PixelSize {
    orientation.swapsSides ? PixelSize(width: height, height: width) : self
  }
}
