import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct PNGDecodingTests {
  /// 16 colours without an order.
  private static let palette: [UInt8] = (0..<16).flatMap { (index: UInt8) -> [UInt8] in
    [index * 16 + 3, 255 - index * 9, index &* 77]
  }

  private func picture(
    _ colorType: UInt8, _ depth: Int, width: Int, height: Int, isInterlaced: Bool = false
  ) -> PNGBytes {
    let largest = min(1 << depth - 1, colorType == 3 ? 15 : .max)
    var picture = PNGBytes(
      width: width, height: height, colorType: colorType, depth: depth, isInterlaced: isInterlaced
    ) { x, y, channel in (x * 7919 + y * 104_729 + channel * 31_337 + x * y * 13) % (largest + 1) }
    if colorType == 3 { picture.chunks = [("PLTE", Self.palette)] }
    return picture
  }

  /// Blue, green, red, alpha of a pixel, as the standard says.
  private func expected(_ picture: PNGBytes, _ x: Int, _ y: Int) -> [UInt8] {
    let samples = (0..<PNGBytes.channelCount(of: picture.colorType)).map {
      picture.sample(x, y, $0)
    }
    if picture.colorType == 3 {
      let place = samples[0] * 3
      return [Self.palette[place + 2], Self.palette[place + 1], Self.palette[place], 255]
    }
    let largest = Double(1 << picture.depth - 1)
    let bytes = samples.map { UInt8((Double($0) * 255 / largest).rounded()) }
    switch picture.colorType {
    case 0: return [bytes[0], bytes[0], bytes[0], 255]
    case 2: return [bytes[2], bytes[1], bytes[0], 255]
    case 4: return [bytes[0], bytes[0], bytes[0], bytes[1]]
    default: return [bytes[2], bytes[1], bytes[0], bytes[3]]
    }
  }

  @Test(arguments: PNGBytes.kinds.indices, [false, true])
  func decodesEveryKind(_ kind: Int, _ isInterlaced: Bool) throws {
    let (colorType, depth) = PNGBytes.kinds[kind]
    for (width, height) in [(37, 23), (1, 1), (2, 9), (9, 2), (8, 8), (3, 5)] {
      let png = picture(colorType, depth, width: width, height: height, isInterlaced: isInterlaced)
      let image = try Image(png.data)
      #expect(image.format == .png && image.pixelWidth == width && image.pixelHeight == height)
      let pixels = try image.pixelBuffer()
      for y in 0..<height {
        for x in 0..<width where pixels.bgra(x, y) != expected(png, x, y) {
          Issue.record("type \(colorType), \(depth) bits, \(width)×\(height) at \(x), \(y)")
          return
        }
      }
    }
  }

  @Test func makesTheTransparentColourTransparent() throws {
    var grey = picture(0, 4, width: 16, height: 4)
    grey.chunks = [("tRNS", [0, 5])]
    var rgb = picture(2, 16, width: 16, height: 4)
    let color = (0..<3).map { rgb.sample(3, 2, $0) }
    rgb.chunks = [("tRNS", color.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })]
    for (png, isClear) in [
      (grey, { grey.sample($0, $1, 0) == 5 }), (rgb, { $0 == 3 && $1 == 2 }),
    ] {
      let pixels = try Image(png.data).pixelBuffer()
      for y in 0..<4 {
        for x in 0..<16 { #expect(pixels.bgra(x, y)[3] == (isClear(x, y) ? 0 : 255)) }
      }
    }
  }

  @Test func takesTheTransparencyOfAPalette() throws {
    var png = picture(3, 4, width: 16, height: 4)
    png.chunks.append(("tRNS", [0, 17, 200]))
    let pixels = try Image(png.data).pixelBuffer()
    for x in 0..<16 {
      let index = png.sample(x, 1, 0)
      #expect(pixels.bgra(x, 1)[3] == (index < 3 ? [0, 17, 200][index] : 255))
    }
  }

  @Test func makesSRGBOfLinearSamples() throws {
    var png = PNGBytes(width: 256, height: 1, colorType: 0, depth: 8) { x, _, _ in x }
    png.chunks = [("gAMA", PNGBytes.bigEndian(100_000))]
    let pixels = try Image(png.data).pixelBuffer()
    for x in 0..<256 {
      let expected = 255 * pow(Double(x) / 255, 1 / 2.2)
      #expect(abs(Double(pixels.bgra(x, 0)[0]) - expected) <= 1)
    }
    // The usual gamma, and a word that the samples are sRGB, leave them alone.
    for chunks: [(String, [UInt8])] in [
      [("gAMA", PNGBytes.bigEndian(45_455))],
      [("sRGB", [0]), ("gAMA", PNGBytes.bigEndian(100_000))], [("gAMA", PNGBytes.bigEndian(0))],
    ] {
      png.chunks = chunks
      #expect(try Image(png.data).pixelBuffer().bgra(100, 0)[0] == 100)
    }
  }

  @Test func showsAnAnimationsFirstPicture() throws {
    var png = picture(2, 8, width: 16, height: 4)
    png.chunks = [("acTL", PNGBytes.bigEndian(2) + PNGBytes.bigEndian(0))]
    let data = png.data
    let next = PNGBytes.chunk(
      "fdAT", PNGBytes.bigEndian(1) + PNGBytes.stored([UInt8](repeating: 0, count: 4 * 49)))
    let animated = data.prefix(data.count - 12) + next + data.suffix(12)
    let pixels = try Image(Data(animated)).pixelBuffer()
    #expect(pixels.bgra(5, 3) == expected(png, 5, 3))
  }
}

// MARK: - Damage

extension PNGDecodingTests {
  @Test func takesEveryLostByteForAFailure() throws {
    let data = picture(6, 8, width: 9, height: 7).data
    for length in 0..<data.count {
      let cut = data.prefix(length).copied
      let error = #expect(throws: ImagingError.self) { try Image(cut).pixelBuffer() }
      #expect(error?.code == .incomplete || length < 8)
    }
  }

  @Test func takesEveryChangedByteOfSamplesForAFailure() throws {
    let data = picture(2, 8, width: 9, height: 7).data
    for place in 8..<data.count {
      for bit in 0..<8 {
        var changed = data
        changed[place] ^= 1 << bit
        // Also where the length of a chunk becomes something else, or its type.
        #expect(throws: ImagingError.self, "\(place)") { try Image(changed).pixelBuffer() }
      }
    }
  }

  @Test func givesOutTheRowsThatAreThere() throws {
    let png = picture(2, 8, width: 9, height: 7)
    // A row is 28 bytes; 43 bytes precede the first block, 7 belong to it and zlib.
    let cut = try Image(png.data.prefix(43 + 5 + 28 * 3 + 27).copied)
    #expect(throws: ImagingError.self) { try cut.pixelBuffer() }
    let part = try cut.partialPixelBuffer()
    #expect((2...3).contains(part.wholeRowCount) && !part.isComplete)
    #expect(part.pixels.bgra(8, 1) == expected(png, 8, 1))
    #expect(part.pixels.bgra(0, 6) == [128, 128, 128, 255])
    let whole = try Image(png.data).partialPixelBuffer()
    #expect(whole.isComplete && whole.pixels.bgra(8, 6) == expected(png, 8, 6))
    var damaged = png.data
    damaged[43 + 60] ^= 1
    #expect(try Image(damaged).partialPixelBuffer().wholeRowCount == 0)
  }

  @Test func keepsToItsLimits() throws {
    let data = picture(2, 8, width: 100, height: 70).data
    for limits in [
      Image.Limits(memoryByteCount: 100 * 70 * 4 - 1), Image.Limits(memoryByteCount: 100 * 70 * 4),
      Image.Limits(pixelCount: 6999), Image.Limits(metadataByteCount: -1),
    ] {
      let error = #expect(throws: ImagingError.self) {
        try Image(data, limits: limits).pixelBuffer()
      }
      #expect(error?.code == .tooLarge)
    }
    let enough = Image.Limits(memoryByteCount: 100 * 70 * 4 + 300_000)
    #expect(try Image(data, limits: enough).pixelBuffer().width == 100)
  }

  @Test func takesNoMemoryForPixelsThatCannotBeThere() throws {
    var data = picture(6, 16, width: 16, height: 4).data
    let lie = PNGBytes.chunk(
      "IHDR", PNGBytes.bigEndian(14_000) + PNGBytes.bigEndian(14_000) + [16, 6, 0, 0, 0])
    data.replaceSubrange(8..<33, with: lie)
    let error = #expect(throws: ImagingError.self) { try Image(data).pixelBuffer() }
    #expect(error?.code == .corrupt)
    let cut = #expect(throws: ImagingError.self) {
      try Image(data.dropLast(20).copied).pixelBuffer()
    }
    #expect(cut?.code == .incomplete)
  }

  @Test func refusesDeclaredSizesAboveTheLimit() throws {
    for (width, height) in [(100_000, 100_000), (0x7FFF_FFFF, 0x7FFF_FFFF)] {
      let header = PNGBytes.chunk(
        "IHDR", PNGBytes.bigEndian(width) + PNGBytes.bigEndian(height) + [8, 6, 0, 0, 0])
      let data = picture(6, 8, width: 4, height: 4).data.replacingHeader(with: header)
      let error = #expect(throws: ImagingError.self) { try Image(data) }
      #expect(error?.code == .tooLarge)
    }
    let long = PNGBytes.chunk(
      "IHDR", PNGBytes.bigEndian(70_000) + PNGBytes.bigEndian(1) + [1, 0, 0, 0, 0])
    let data = picture(0, 1, width: 4, height: 4).data.replacingHeader(with: long)
    let error = #expect(throws: ImagingError.self) { try Image(data).pixelBuffer() }
    #expect(error?.code == .tooLarge)
  }

  @Test(arguments: [
    (0, 4, [UInt8(8), 6, 0, 0, 0]), (4, 0, [8, 6, 0, 0, 0]), (4, 4, [3, 0, 0, 0, 0]),
    (4, 4, [16, 3, 0, 0, 0]), (4, 4, [8, 1, 0, 0, 0]), (4, 4, [8, 2, 0, 0, 2]),
  ])
  func refusesHeadersThatMakeNoSense(_ width: Int, _ height: Int, _ rest: [UInt8]) throws {
    let header = PNGBytes.chunk(
      "IHDR", PNGBytes.bigEndian(width) + PNGBytes.bigEndian(height) + rest)
    let data = picture(2, 8, width: 4, height: 4).data.replacingHeader(with: header)
    let error = #expect(throws: ImagingError.self) { try Image(data) }
    #expect(error?.code == .corrupt)
  }
}

extension Data {
  fileprivate func replacingHeader(with header: Data) -> Data { prefix(8) + header + dropFirst(33) }
}
