extension JPEGStructure {
  /// Bytes of what the picture says of itself before its first scan: application segments and
  /// comments.
  var metadataByteCount: Int {
    segments.reduce(0) { sum, segment in
      (0xE0...0xEF).contains(segment.marker) || segment.marker == 0xFE
        ? sum + segment.range.count : sum
    }
  }
}
