import Foundation

@testable import Imaging

/// Takes JPEG pictures apart in the way a test reads them, without the code under test.
extension Data {
  /// Markers and ranges up to and with the first scan's header, start marker left out.
  var jpegSegments: [(marker: UInt8, range: Range<Int>)] {
    var segments: [(marker: UInt8, range: Range<Int>)] = []
    var offset = 2
    while offset + 4 <= count, self[offset] == 0xFF {
      let end = offset + 2 + Int(self[offset + 2]) << 8 + Int(self[offset + 3])
      segments.append((self[offset + 1], offset..<end))
      if self[offset + 1] == 0xDA { break }
      offset = end
    }
    return segments
  }

  var jpegMarkers: [UInt8] { jpegSegments.map(\.marker) }

  /// From the first scan's header to the end.
  var jpegScans: Data {
    guard let scan = jpegSegments.last, scan.marker == 0xDA else { return Data() }
    return Data(self[scan.range.lowerBound...])
  }

  /// The content of the segments with this marker.
  func jpegContents(of marker: UInt8) -> [Data] {
    jpegSegments.filter { $0.marker == marker }.map {
      Data(self[($0.range.lowerBound + 4)..<$0.range.upperBound])
    }
  }

  /// Without the segments with these markers.
  func withoutSegments(_ markers: UInt8...) -> Data {
    var result = Data(prefix(2))
    for segment in jpegSegments where !markers.contains(segment.marker) && segment.marker != 0xDA {
      result.append(self[segment.range])
    }
    return result + jpegScans
  }

  /// With a segment directly after the start marker.
  func insertingSegment(_ marker: UInt8, _ content: [UInt8]) -> Data {
    let length = content.count + 2
    return prefix(2) + Data([0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content)
      + dropFirst(2)
  }

  /// As most webcams send it: an `AVI1` segment, no Huffman tables.
  var asFromWebcam: Data {
    withoutSegments(0xE0, 0xC4).insertingSegment(0xE0, Array("AVI1\0\0\0\0\0\0\0\0\0\0".utf8))
  }
}
