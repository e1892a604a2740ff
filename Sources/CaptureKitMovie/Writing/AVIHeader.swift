/// The sizes and counts of an AVI file's header, which libavformat fills in at the end; pure.
struct AVIHeader: HeaderUpkeep {
  /// Where the file's first chunk says its size.
  private static let filePlace = 4
  /// A first `RIFF` chunk that is larger is followed by others, which say their own sizes.
  private static let largestFirstChunk: Int64 = 1 << 30

  /// Where `avih` says how many frames there are; nil where none was found.
  let frameCountPlace: Int?
  /// Where `strh` says how many frames its track has.
  let lengthPlace: Int?
  /// Where the list of frames begins: its size, then `movi`.
  let framesPlace: Int?

  init(_ header: [UInt8]) {
    frameCountPlace = header.place(of: Array("avih".utf8), from: 0).map { $0 + 8 + 16 }
    lengthPlace = header.place(of: Array("strh".utf8), from: 0).map { $0 + 8 + 32 }
    framesPlace = header.place(of: Array("movi".utf8), from: 0).map { $0 - 4 }
  }

  func begin(_ sink: MovieFileSink) {}

  func update(_ sink: MovieFileSink, duration: Duration, tickCount: Int64) {
    guard let framesPlace, sink.byteCount < Self.largestFirstChunk else { return }
    sink.patch(Self.number(sink.byteCount - 8), at: Int64(Self.filePlace))
    sink.patch(
      Self.number(sink.byteCount - Int64(framesPlace) - 4), at: Int64(framesPlace))
    for place in [frameCountPlace, lengthPlace].compactMap({ $0 }) {
      sink.patch(Self.number(tickCount), at: Int64(place))
    }
  }

  /// Four bytes, the lowest first.
  private static func number(_ value: Int64) -> [UInt8] {
    let bits = UInt32(clamping: value)
    return (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
  }
}
