import Foundation

/// The marker segments of a JPEG file (ITU-T T.81, annex B), as far as simulated cameras need them.
struct JPEGMarkers {
  private struct Segment {
    let marker: UInt8
    /// From the marker's first byte to the segment's last.
    let range: Range<Int>
  }

  private let bytes: [UInt8]
  private let segments: [Segment]

  /// nil where the bytes do not start as a JPEG file, or end before the picture begins.
  init?(_ data: Data) {
    let bytes = [UInt8](data)
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var segments: [Segment] = []
    var start = 2
    while segments.last?.marker != 0xDA {
      guard start + 4 <= bytes.count, bytes[start] == 0xFF else { return nil }
      let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
      let end = start + 2 + length
      guard length >= 2, end <= bytes.count else { return nil }
      segments.append(Segment(marker: bytes[start + 1], range: start..<end))
      start = end
    }
    self.bytes = bytes
    self.segments = segments
  }

  /// The picture's size; nil where no frame header gives one.
  var size: (width: Int, height: Int)? {
    let header = segments.first {
      (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
    }
    guard let header, header.range.count >= 9 else { return nil }
    let fields = bytes[header.range].dropFirst(5).prefix(4).map(Int.init)
    let (height, width) = (fields[0] << 8 | fields[1], fields[2] << 8 | fields[3])
    return width > 0 && height > 0 ? (width, height) : nil
  }

  /// Whether there is a Huffman table.
  var hasHuffmanTables: Bool { segments.contains { $0.marker == 0xC4 } }

  /// The file without its Huffman tables, as webcams send it.
  var withoutHuffmanTables: Data {
    var result = Data(bytes[..<2])
    for segment in segments where segment.marker != 0xC4 {
      result.append(contentsOf: bytes[segment.range])
    }
    result.append(contentsOf: bytes[(segments.last?.range.upperBound ?? 2)...])
    return result
  }
}
