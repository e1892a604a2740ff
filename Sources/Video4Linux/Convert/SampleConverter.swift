import Synchronization

/// Makes pictures of a stream's frames that cannot be read as they are; from any thread, several at
/// once.
package final class SampleConverter: Sendable {
  /// Why a frame has no picture.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// What threads work with: as many as convert at the same time, of which two are kept.
  private struct Bench: Sendable {
    let library: LibV4LConverter?
    let scratch: ConvertedPicture
  }

  package let format: SampleFormat
  package let size: FrameSize
  private let bytesPerLine: Int
  private let pictures: PicturePool
  private let scratches: PicturePool
  private let benches = Mutex<[Bench]>([])
  private static let benchLimit = 2

  /// Nil for what needs no conversion, and for what has none: several memory areas, odd sizes.
  ///
  /// - Parameter image: What the driver has settled.
  package init?(_ image: VideoFormat) {
    guard let format = SampleFormat(image.fourcc), image.planes.count == 1,
      format.converts(image.size)
    else { return nil }
    let (width, height) = (Int(image.size.width), Int(image.size.height))
    let tight = format.tightRow(width: width)
    let declared = Int(image.planes.first?.bytesPerLine ?? 0)
    guard declared == 0 || declared >= tight, declared <= 1 << 24 else { return nil }
    self.format = format
    size = image.size
    bytesPerLine = declared == 0 ? tight : declared
    pictures = PicturePool(byteCount: format.resultByteCount(width: width, height: height))
    scratches = PicturePool(byteCount: format.scratchByteCount(width: width, height: height))
  }

  /// The least that a whole frame has.
  package var leastByteCount: Int {
    format.leastByteCount(
      width: Int(size.width), height: Int(size.height), bytesPerLine: bytesPerLine)
  }

  /// Converts a frame.
  ///
  /// - Parameter frame: All of its bytes.
  /// - Returns: Rows of RGB24, YU12 or GREY without gaps: see ``SampleFormat/result``.
  /// - Throws: Where the frame is too short, or damaged so that it shows.
  package func convert(_ frame: RawSpan) throws(Failure) -> ConvertedPicture {
    try unsafe frame.withUnsafeBytes { bytes throws(Failure) in try unsafe convert(bytes) }
  }

  private func convert(_ frame: UnsafeRawBufferPointer) throws(Failure) -> ConvertedPicture {
    guard frame.count >= leastByteCount else {
      throw Failure(description: "a frame of \(frame.count) bytes in place of \(leastByteCount)")
    }
    let picture = pictures.take()
    if case .grey(let packing) = format.content {
      unsafe shorten(frame, packing, into: picture.memory)
      return picture
    }
    do {
      let bench = try bench()
      try unsafe convert(frame, on: bench, into: picture)
      benches.withLock { if $0.count < Self.benchLimit { $0.append(bench) } }
    } catch {
      throw Failure(description: error.message)
    }
    return picture
  }

  private func bench() throws(LibV4LConverter.Failure) -> Bench {
    if let bench = benches.withLock({ $0.popLast() }) { return bench }
    let source: FourCC =
      if case .mosaic(let plain, _) = format.content { plain } else { format.fourcc }
    return Bench(
      library: try LibV4LConverter(
        from: source, bytesPerLine: format.libraryRow(width: Int(size.width)), to: format.result,
        size: size),
      scratch: scratches.take())
  }

  /// The frame is copied first: the library wants rows without gaps, shortens in place, and may
  /// read on where a frame is damaged, up to the zeros at the end.
  private func convert(
    _ frame: UnsafeRawBufferPointer, on bench: Bench, into picture: ConvertedPicture
  ) throws(LibV4LConverter.Failure) {
    let scratch = unsafe bench.scratch.memory
    let used: Int
    switch format.content {
    case .mosaic(_, let packing), .grey(let packing):
      used = Int(size.width) * Int(size.height)
      unsafe shorten(frame, packing, into: scratch)
    case .planes(let planes):
      used = unsafe compact(frame, planes, into: scratch)
    case .opaque, .compressed:
      let capacity = format.frameCapacity(width: Int(size.width), height: Int(size.height))
      used = min(frame.count, capacity)
      unsafe scratch.copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[..<used]))
    }
    unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[used...]).initializeMemory(
      as: UInt8.self, repeating: 0)
    try unsafe bench.library?.convert(
      UnsafeRawBufferPointer(scratch), byteCount: used, into: picture.memory)
  }

  private func shorten(
    _ frame: UnsafeRawBufferPointer, _ packing: SamplePacking,
    into output: UnsafeMutableRawBufferPointer
  ) {
    let width = Int(size.width)
    for row in 0..<Int(size.height) {
      unsafe packing.shorten(
        UnsafeRawBufferPointer(rebasing: frame[(row * bytesPerLine)...]),
        into: UnsafeMutableRawBufferPointer(rebasing: output[row * width..<(row + 1) * width]))
    }
  }

  /// - Returns: How many bytes there are without the gaps.
  private func compact(
    _ frame: UnsafeRawBufferPointer, _ planes: [SampleFormat.Plane],
    into output: UnsafeMutableRawBufferPointer
  ) -> Int {
    var (from, to) = (0, 0)
    for plane in planes {
      let (length, stride) = (
        plane.rowByteCount(width: Int(size.width)), bytesPerLine / plane.strideDivisor
      )
      for _ in 0..<Int(size.height) / plane.rowDivisor {
        unsafe UnsafeMutableRawBufferPointer(rebasing: output[to..<to + length])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[from..<from + length]))
        from += stride
        to += length
      }
    }
    return to
  }
}
