import Testing

@testable import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct SampleConverterTests {
  private static let flat: [UInt8] = [200, 120, 40]

  private func makeConverter(
    _ fourcc: String, _ width: Int = 32, _ height: Int = 16, bytesPerLine: Int = 0
  ) -> SampleConverter? {
    SampleConverter(
      VideoFormat(
        size: FrameSize(width: UInt32(width), height: UInt32(height)), fourcc: FourCC(fourcc),
        planes: [.init(bytesPerLine: UInt32(bytesPerLine), byteCount: 0)]))
  }

  private func bytes(_ frame: [UInt8], _ converter: SampleConverter?) throws -> [UInt8] {
    let converter = try #require(converter)
    let picture = try converter.convert(frame.span.bytes)
    return [UInt8](picture.unsafeBytes)
  }

  /// Each order in each packing: the name, the order of colours, the packing.
  private static let mosaics: [(String, String, SamplePacking)] = [
    ("BA81", "BGGR", .bytes), ("GBRG", "GBRG", .bytes), ("GRBG", "GRBG", .bytes),
    ("RGGB", "RGGB", .bytes), ("BG10", "BGGR", .words(bits: 10)),
    ("GB10", "GBRG", .words(bits: 10)), ("BA10", "GRBG", .words(bits: 10)),
    ("RG10", "RGGB", .words(bits: 10)), ("BG12", "BGGR", .words(bits: 12)),
    ("RG14", "RGGB", .words(bits: 14)), ("GR14", "GRBG", .words(bits: 14)),
    ("BYR2", "BGGR", .words(bits: 16)), ("RG16", "RGGB", .words(bits: 16)),
    ("pBAA", "BGGR", .groups(samples: 4, bytes: 5)),
    ("pgAA", "GRBG", .groups(samples: 4, bytes: 5)),
    ("pRCC", "RGGB", .groups(samples: 2, bytes: 3)),
    ("pGEE", "GBRG", .groups(samples: 4, bytes: 7)),
  ]

  @Test(arguments: mosaics, [0, 24])
  func developsAFlatColour(mosaic: (String, String, SamplePacking), gap: Int) throws {
    let (name, order, packing) = mosaic
    let picture = Mosaic(colour: { _, _ in Self.flat }, width: 32, height: 16)

    let pixels = try bytes(
      picture.frame(order, packing, gap: gap),
      makeConverter(name, bytesPerLine: packing.rowByteCount(width: 32) + gap))

    #expect(pixels.count == 32 * 16 * 3)
    for (index, sample) in pixels.enumerated() {
      #expect(abs(Int(sample) - Int(Self.flat[index % 3])) <= 3, "byte \(index)")
    }
  }

  @Test func developsAGreyRamp() throws {
    let ramp = Mosaic(
      colour: { x, _ in [UInt8](repeating: UInt8(x * 3 + 10), count: 3) }, width: 64, height: 32)

    let pixels = try bytes(ramp.frame("GRBG", .bytes), makeConverter("GRBG", 64, 32))

    // The outermost pixels have neighbours on one side only.
    for y in 1..<31 {
      for x in 1..<63 {
        for channel in 0..<3 {
          let sample = Int(pixels[(y * 64 + x) * 3 + channel])
          #expect(abs(sample - (x * 3 + 10)) <= 3, "\(channel) at \(x), \(y)")
        }
      }
    }
  }

  @Test(arguments: [
    ("Y10 ", SamplePacking.words(bits: 10)), ("Y12 ", .words(bits: 12)), ("Y16 ", .words(bits: 16)),
    ("Y10P", .groups(samples: 4, bytes: 5)), ("Y10B", .bitStream(bits: 10)),
  ])
  func shortensGreySamples(name: String, packing: SamplePacking) throws {
    let rows = (0..<9).map { y in (0..<31).map { UInt8($0 * 8 + y) } }
    let length = packing.rowByteCount(width: 31)

    let pixels = try bytes(
      Mosaic.frame(rows, packing, gap: 5), makeConverter(name, 31, 9, bytesPerLine: length + 5))

    #expect(pixels == rows.flatMap(\.self))
  }

  @Test func readsBigEndianSamples() throws {
    let format = try #require(SampleFormat(FourCC(rawValue: FourCC("Y16 ").rawValue | 1 << 31)))
    guard case .grey(let packing) = format.content else {
      Issue.record("not grey")
      return
    }
    #expect(packing == .words(bits: 16, isBigEndian: true))
    let row: [UInt8] = [0x12, 0x34, 0xAB, 0xCD]
    var output: [UInt8] = [0, 0]
    row.withUnsafeBytes { row in
      output.withUnsafeMutableBytes { packing.shorten(row, into: $0) }
    }
    #expect(output == [0x12, 0xAB])
  }

  @Test func takesASampleOfTooManyBitsForTheBrightest() throws {
    let pixels = try bytes(
      [UInt8](repeating: 0xFF, count: 32 * 16 * 2), makeConverter("Y10 "))

    #expect(pixels == [UInt8](repeating: 255, count: 32 * 16))
  }

  @Test func putsRareOrdersInOrder() throws {
    let yvyu = (0..<32 * 16 / 2).flatMap { _ in [100, 30, 100, 200] as [UInt8] }
    let fromYVYU = try bytes(yvyu, makeConverter("YVYU"))
    #expect(fromYVYU.prefix(512).allSatisfy { $0 == 100 })
    #expect(fromYVYU[512..<640].allSatisfy { $0 == 200 })
    #expect(fromYVYU[640...].allSatisfy { $0 == 30 })

    let yv12 =
      [UInt8](repeating: 50, count: 512) + [UInt8](repeating: 60, count: 128)
      + [UInt8](repeating: 70, count: 128)
    let fromYV12 = try bytes(yv12, makeConverter("YV12"))
    #expect(fromYV12[512] == 70 && fromYV12[640] == 60)

    let bgrx = (0..<512).flatMap { _ in [40, 120, 200, 9] as [UInt8] }
    #expect(try bytes(bgrx, makeConverter("XR24")).prefix(3) == [200, 120, 40])
    let xrgb = (0..<512).flatMap { _ in [9, 200, 120, 40] as [UInt8] }
    #expect(try bytes(xrgb, makeConverter("BX24")).prefix(3) == [200, 120, 40])
  }

  @Test func leavesGapsBetweenRowsOut() throws {
    let row = (0..<32).flatMap { _ in [40, 120, 200, 9] as [UInt8] }
    let frame = (0..<16).flatMap { _ in row + [UInt8](repeating: 0xEE, count: 12) }

    let pixels = try bytes(frame, makeConverter("XR24", bytesPerLine: 128 + 12))

    #expect(pixels == (0..<512).flatMap { _ in Self.flat })
  }

  @Test func decodesAnOldWebcamsCompression() throws {
    // PAC207: a row of raw samples begins with 0F F0.
    let picture = Mosaic(colour: { _, _ in Self.flat }, width: 176, height: 144)
    let frame = picture.samples("BGGR").flatMap { ([0x0F, 0xF0] as [UInt8]) + $0 }

    let pixels = try bytes(frame, makeConverter("P207", 176, 144))

    for channel in 0..<3 {
      let sample = Int(pixels[(70 * 176 + 80) * 3 + channel])
      #expect(abs(sample - Int(Self.flat[channel])) <= 3)
    }
  }

  @Test func saysThatAFrameIsDamaged() throws {
    let converter = try #require(makeConverter("P207", 176, 144))
    let damaged = [UInt8](repeating: 0x55, count: 5000)

    #expect(throws: SampleConverter.Failure.self) { try converter.convert(damaged.span.bytes) }
    #expect(throws: SampleConverter.Failure.self) {
      try converter.convert([UInt8](repeating: 0, count: 0).span.bytes)
    }
    // It still converts what comes after.
    let good = (0..<144).flatMap { _ in [0x0F, 0xF0] + [UInt8](repeating: 90, count: 176) }
    #expect(try converter.convert(good.span.bytes).unsafeBytes[9000] == 90)
  }

  @Test func refusesAFrameThatIsTooShort() throws {
    let converter = try #require(makeConverter("GRBG", bytesPerLine: 40))

    #expect(converter.leastByteCount == 40 * 15 + 32)
    #expect(throws: SampleConverter.Failure.self) {
      try converter.convert([UInt8](repeating: 1, count: 40 * 15 + 31).span.bytes)
    }
  }

  @Test func survivesWhateverOldWebcamsSend() throws {
    var state: UInt64 = 1
    func random() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let names = SampleFormat.known.filter {
      switch $0.content {
      case .compressed, .opaque: true
      default: false
      }
    }
    #expect(names.count == 13)
    for format in names {
      let image = VideoFormat(
        size: FrameSize(width: 160, height: 120), fourcc: format.fourcc,
        planes: [.init(bytesPerLine: 0, byteCount: 0)])
      let converter = try #require(SampleConverter(image))
      for length in [1, 500, 20_000, 28_800, 60_000] {
        let noise = (0..<length).map { _ in random() }
        _ = try? converter.convert(noise.span.bytes)
        _ = try? converter.convert([UInt8](repeating: 0xFF, count: length).span.bytes)
      }
    }
  }

  @Test(arguments: ["YUYV", "MJPG", "NV12", "GREY", "H264", "905C", "JL20", "S401", "CPIA"])
  func leavesAlone(name: String) {
    #expect(makeConverter(name, 320, 240) == nil)
  }

  @Test(arguments: [("RGGB", 33, 16), ("RGGB", 32, 15), ("P207", 1280, 720), ("GRBG", 0, 16)])
  func refusesSizesThatItCannotConvert(name: String, width: Int, height: Int) {
    #expect(makeConverter(name, width, height) == nil)
  }

  @Test func refusesRowsThatAreTooShort() {
    #expect(makeConverter("RG16", bytesPerLine: 63) == nil)
    #expect(makeConverter("RG16", bytesPerLine: 64) != nil)
  }

  @Test func usesTheMemoryOfPicturesAgain() throws {
    let converter = try #require(makeConverter("GRBG"))
    let frame = [UInt8](repeating: 7, count: 512)
    var addresses: Set<UInt> = []
    for _ in 0..<100 {
      let picture = try converter.convert(frame.span.bytes)
      addresses.insert(UInt(bitPattern: picture.unsafeBytes.baseAddress))
    }

    #expect(addresses.count == 1)
  }

  @Test func convertsOnSeveralThreadsAtOnce() async throws {
    let converter = try #require(makeConverter("RGGB"))
    let picture = Mosaic(colour: { _, _ in Self.flat }, width: 32, height: 16)
    let frame = picture.frame("RGGB", .bytes)

    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<20).allSatisfy { _ in
            (try? converter.convert(frame.span.bytes))?.unsafeBytes[300] == Self.flat[0]
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
