import Foundation
import Imaging

/// Small enough that a picture costs milliseconds, large enough for several units of blocks.
let limits = Image.Limits(
  pixelCount: 1 << 14, scanCount: 20, metadataByteCount: 1 << 16, memoryByteCount: 1 << 22)

/// A promise that does not hold ends the process, which the fuzzer reports.
func expect(_ condition: Bool, _ promise: StaticString) {
  if !condition { fatalError("\(promise)") }
}

/// What a camera sends: the walk over its markers, what a photo makes of it, and its pixels.
func readMarkers(_ data: Data) {
  let bytes = data.bytes
  _ = try? JPEGHeader(parsing: bytes)
  _ = JPEGPassthrough.isWhole(bytes)
  _ = ImageMetadata(reading: bytes)
  _ = JPEGThumbnail.embedded(in: bytes)
  guard let image = try? Image(data, limits: limits) else { return }
  if let photo = try? JPEGPassthrough.photo(from: bytes, metadata: ImageMetadata()) {
    expect(JPEGPassthrough.isWhole(photo.bytes), "a photo is whole")
    expect((try? Image(photo, limits: limits)) != nil, "a photo can be opened")
  }
  if let whole = try? JPEGPassthrough.completing(bytes) {
    expect(JPEGPassthrough.isWhole(whole.bytes), "what was completed is whole")
  }
  openPicture(image)
}

/// Any picture file.
func openPicture(_ data: Data) {
  if let image = try? Image(data, limits: limits) { openPicture(image) }
}

private func openPicture(_ image: Image) {
  _ = image.colorProfile
  let size = PixelSize(width: image.pixelWidth, height: image.pixelHeight)
  if let partial = try? image.partialPixelBuffer() {
    expect(partial.pixels.width == size.width, "a part has the picture's width")
    expect((0...size.height).contains(partial.wholeRowCount), "no more rows than there are")
  }
  if let small = try? image.thumbnail(maxPixelSize: 40) {
    expect(max(small.size.width, small.size.height) <= 40, "a thumbnail fits")
  }
  if let pixels = try? image.orientedPixelBuffer() {
    expect(pixels.width == image.size.width, "turned pixels have the shown size")
  }
  changeMetadata(of: image)
}

private func changeMetadata(of image: Image) {
  if let without = try? image.strippingLocation() {
    expect(without.metadata.location == nil, "no location stays")
    expect(without.orientation == image.orientation, "the orientation stays")
  }
  if let bare = try? image.strippingAllMetadata() {
    expect(bare.orientation == image.orientation, "the orientation stays in a bare picture")
  }
  var metadata = image.metadata
  metadata.imageDescription = "A picture"
  metadata.location = nil
  if let changed = try? image.settingMetadata(metadata) {
    expect(changed.metadata.imageDescription == "A picture", "a description is written")
    expect(changed.metadata.location == nil, "a location goes")
  }
}

/// A change of the picture that the first bytes choose.
func editPicture(_ data: Data) {
  guard data.count > 8, let image = try? Image(Data(data[8...]), limits: limits) else { return }
  let oddEdges: OddEdges =
    switch data[0] & 3 {
    case 0: .trim
    case 1: .reencode(quality: 0.5)
    case 2: .exifOnly
    default: .fail
    }
  let stays = image.size
  switch data[0] >> 2 & 7 {
  case 0:
    let rotated = try? image.rotated(by: .clockwise90, oddEdges: oddEdges)
    check(rotated, PixelSize(width: stays.height, height: stays.width), trims: oddEdges == .trim)
  case 1:
    let rotated = try? image.rotated(by: .counterclockwise90, oddEdges: oddEdges)
    check(rotated, PixelSize(width: stays.height, height: stays.width), trims: oddEdges == .trim)
  case 2: check(try? image.rotated(by: .half, oddEdges: oddEdges), stays, trims: oddEdges == .trim)
  case 3:
    check(try? image.mirrored(.horizontal, oddEdges: oddEdges), stays, trims: oddEdges == .trim)
  case 4: check(try? image.mirrored(.vertical, oddEdges: oddEdges), stays, trims: oddEdges == .trim)
  case 5:
    // One that is upright stays as it came.
    guard image.orientation != .up else { return }
    check(try? image.bakingOrientation(oddEdges: oddEdges), stays, trims: oddEdges == .trim)
  default:
    let rect = PixelRect(
      x: Int(data[1]), y: Int(data[2]), width: Int(data[3]), height: Int(data[4]))
    check(try? image.cropped(to: rect, oddEdges: oddEdges), rect.size, trims: oddEdges == .trim)
  }
}

private func check(_ image: Image?, _ size: PixelSize, trims: Bool) {
  guard let image else { return }
  expect(
    trims ? image.size.width <= size.width && image.size.height <= size.height : image.size == size,
    "an edited picture has the size that was asked for")
  if let data = image.encodedData, !JPEGPassthrough.isWhole(data.bytes) {
    fatalError("an edited picture is whole")
  }
}

/// The bytes as the EXIF block of a picture that is sound otherwise.
func readAndWriteExif(_ data: Data) {
  guard data.count <= 60_000 else { return }
  let content = Data("Exif\0\0".utf8) + data
  let length = content.count + 2
  let jpeg =
    Data(picture.prefix(2)) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content
    + picture.dropFirst(2)
  let metadata = ImageMetadata(reading: jpeg.bytes)
  if let image = try? Image(jpeg, limits: limits) {
    expect(image.orientation == metadata.orientation, "there is one orientation")
    _ = try? image.rotated(by: .half)
  }
  _ = JPEGThumbnail.embedded(in: jpeg.bytes)
  let changes: [JPEGPassthrough.MetadataChange] = [
    .merging(metadata), .replacing(metadata), .stripping(metadata.orientation),
  ]
  for change in changes {
    guard let changed = rewritten(jpeg, change) else { continue }
    expect(JPEGPassthrough.isWhole(changed.bytes), "EXIF can be rewritten")
    let orientation = ImageMetadata(reading: changed.bytes).orientation
    expect(orientation == metadata.orientation, "the orientation stays")
  }
}

/// nil where texts that lie within one another have no room one behind the other.
private func rewritten(_ jpeg: Data, _ change: JPEGPassthrough.MetadataChange) -> Data? {
  do {
    return try JPEGPassthrough.changing(jpeg.bytes, metadata: change)
  } catch {
    expect(error.code == .tooLarge, "EXIF can be rewritten where there is room")
    return nil
  }
}

/// 16 × 16 grey pixels; an array, because the leak detector does not find what a global `Data`
/// holds.
private let picture: [UInt8] = {
  let layout = PixelLayout(format: .grey, width: 16, height: 16)
  let pixels = layout.flatMap {
    PixelBuffer(layout: $0, bytes: [UInt8](repeating: 100, count: 256))
  }
  return pixels.flatMap { try? JPEGEncoder().encode($0) }.map { Array($0) } ?? []
}()
