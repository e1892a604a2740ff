/// A camera's JPEG frames as a stream of parts that browsers show as a moving picture.
///
/// Frames go on as the camera has sent them. What stands before the samples is looked at for one
/// thing: some cameras leave the Huffman tables out, which browsers need.
enum MotionJPEG {
  /// What a client gets first; a page of another origin cannot show what follows.
  static let headers = """
    HTTP/1.1 200 OK\r
    Content-Type: multipart/x-mixed-replace;boundary=\(boundary)\r
    Cache-Control: no-store\r
    X-Content-Type-Options: nosniff\r
    Cross-Origin-Resource-Policy: same-origin\r
    Connection: close\r
    \r
    --\(boundary)\r

    """
  /// What follows a frame: with it a browser knows at once that the frame is whole.
  static let tail = Array("\r\n--\(boundary)\r\n".utf8)

  private static let boundary = "next-frame"

  /// How a frame is sent.
  struct Part {
    /// The part's headers, and the beginning of the frame where tables had to be put behind it.
    var head: [UInt8]
    /// Where in the frame the rest begins.
    var bodyOffset: Int
  }

  /// - Returns: nil where the bytes do not begin as a JPEG does.
  static func part(of frame: RawSpan) -> Part? {
    guard let scan = scan(in: frame) else { return nil }
    let tables = scan.needsTables ? HuffmanSegment.standard : []
    var head = Array(
      "Content-Type: image/jpeg\r\nContent-Length: \(frame.byteCount + tables.count)\r\n\r\n".utf8)
    guard scan.needsTables else { return Part(head: head, bodyOffset: 0) }
    for offset in 0..<scan.offset {
      head.append(frame.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    }
    head += tables
    return Part(head: head, bodyOffset: scan.offset)
  }

  /// Where the first scan's header begins, and whether the tables are missing before it.
  private static func scan(in frame: RawSpan) -> (offset: Int, needsTables: Bool)? {
    func byte(_ offset: Int) -> Int {
      offset < frame.byteCount ? Int(frame.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) : -1
    }
    guard byte(0) == 0xFF, byte(1) == 0xD8 else { return nil }
    var (offset, needsTables) = (2, true)
    while byte(offset) == 0xFF {
      let marker = byte(offset + 1)
      if marker == 0xDA { return (offset, needsTables) }
      if marker == 0xFF {
        offset += 1
        continue
      }
      // Arithmetic coding has no Huffman tables.
      if marker == 0xC4 || (0xC9...0xCF).contains(marker) { needsTables = false }
      let (high, low) = (byte(offset + 2), byte(offset + 3))
      guard marker >= 0xC0, high >= 0, low >= 0, high << 8 | low >= 2 else { return nil }
      offset += 2 + (high << 8 | low)
    }
    return nil
  }
}
