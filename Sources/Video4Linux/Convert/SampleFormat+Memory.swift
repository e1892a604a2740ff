extension SampleFormat {
  /// Bytes of the first plane's row without a gap; 0 where rows mean nothing.
  func tightRow(width: Int) -> Int {
    switch content {
    case .mosaic(_, let packing), .grey(let packing): packing.rowByteCount(width: width)
    case .planes(let planes): planes.first?.rowByteCount(width: width) ?? 0
    case .opaque, .compressed: 0
    }
  }

  /// What the library is told of its source's rows.
  func libraryRow(width: Int) -> Int {
    if case .planes = content { tightRow(width: width) } else { width }
  }

  /// The least bytes of a whole frame with such rows.
  func leastByteCount(width: Int, height: Int, bytesPerLine: Int) -> Int {
    switch content {
    case .mosaic, .grey:
      return bytesPerLine * (height - 1) + tightRow(width: width)
    case .planes(let planes):
      // The last row needs no gap after it.
      var (end, last) = (0, 0)
      for plane in planes {
        let stride = bytesPerLine / plane.strideDivisor
        last = stride - plane.rowByteCount(width: width)
        end += stride * (height / plane.rowDivisor)
      }
      return end - max(0, last)
    case .opaque:
      return byteCount(width: width, height: height) ?? 0
    case .compressed:
      return 1
    }
  }

  /// The most bytes of a frame that are looked at.
  func frameCapacity(width: Int, height: Int) -> Int {
    byteCount(width: width, height: height) ?? width * height * 2
  }

  /// Room for a frame without gaps, and, for what is decoded by codes, for the longest code of each
  /// pixel.
  func scratchByteCount(width: Int, height: Int) -> Int {
    switch content {
    case .mosaic, .grey: width * height
    case .planes, .opaque: frameCapacity(width: width, height: height)
    case .compressed: frameCapacity(width: width, height: height) + 4 * width * height + 65_536
    }
  }

  func resultByteCount(width: Int, height: Int) -> Int {
    switch result {
    case .rgb24: width * height * 3
    case .yu12: width * height * 3 / 2
    default: width * height
    }
  }
}
