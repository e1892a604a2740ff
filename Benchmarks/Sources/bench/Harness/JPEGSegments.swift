/// The little that the benchmarks must know of a JPEG's markers.
enum JPEGSegments {
  /// The Huffman tables of a file: those of the standard's annex K.3 where libjpeg wrote it.
  static func huffmanTables(of jpeg: [UInt8]) -> [UInt8] {
    var tables: [UInt8] = []
    forEach(in: jpeg) { marker, range in
      if marker == 0xC4 { tables += jpeg[range] }
    }
    return tables
  }

  /// The file as a webcam would send it: `AVI1` in place of `JFIF`, and no Huffman tables.
  static func asCameraFrame(_ jpeg: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("AVI1".utf8)
    frame += [UInt8](repeating: 0, count: 10)
    forEach(in: jpeg) { marker, range in
      if marker != 0xC4 && marker != 0xE0 { frame += jpeg[range] }
    }
    return frame
  }

  /// From the scan's marker to the end of the file; empty where there is no scan.
  static func scan(of jpeg: [UInt8]) -> ArraySlice<UInt8> {
    var scan = jpeg[jpeg.endIndex...]
    forEach(in: jpeg) { marker, range in
      if marker == 0xDA { scan = jpeg[range] }
    }
    return scan
  }

  /// Whether one of the segments is EXIF.
  static func hasEXIF(_ jpeg: [UInt8]) -> Bool {
    var found = false
    forEach(in: jpeg) { marker, range in
      if marker == 0xE1, jpeg[range].dropFirst(4).starts(with: "Exif".utf8) { found = true }
    }
    return found
  }

  /// An EXIF segment with the orientation alone, big-endian, as a C program would have it ready.
  static func exif(orientation: UInt8) -> [UInt8] {
    let payload: [UInt8] =
      Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
      + [0, 1] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0, 0, 0, 0]
    return [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
  }

  /// Calls back with every segment, marker included; the scan is the last, with all that follows.
  static func forEach(in jpeg: [UInt8], _ body: (_ marker: UInt8, _ range: Range<Int>) -> Void) {
    var at = 2
    while at + 4 <= jpeg.count, jpeg[at] == 0xFF {
      let marker = jpeg[at + 1]
      if marker == 0xDA { return body(marker, at..<jpeg.count) }
      let end = at + 2 + Int(jpeg[at + 2]) << 8 + Int(jpeg[at + 3])
      guard end <= jpeg.count else { return }
      body(marker, at..<end)
      at = end
    }
  }
}
