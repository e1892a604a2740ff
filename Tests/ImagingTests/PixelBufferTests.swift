import Testing

@testable import Imaging

/// Pictures made row by row, read row by row, and parts of them.
@Suite(.timeLimit(.minutes(1)))
struct PixelBufferTests {
  private static let formats = Scene.rawFormats.filter {
    $0 != .nv12Multiplanar && $0 != .yuv420Multiplanar
  }

  @Test(arguments: formats, [1, 2, 16, 64])
  func isMadeRowByRow(_ format: PixelFormat, _ alignment: Int) throws {
    let scene = Scene.gradient(width: 45, height: 19)
    let model = try scene.pixels(format, gap: 6)
    let made = try PixelBuffer(format: format, width: 45, height: 19, alignment: alignment) {
      plane, row, bytes in
      let source = model.bytes(ofPlane: plane, row: row)
      #expect(bytes.byteCount == source.byteCount)
      for at in 0..<source.byteCount {
        bytes.storeBytes(
          of: source.unsafeLoad(fromByteOffset: at, as: UInt8.self), toByteOffset: at,
          as: UInt8.self)
      }
    }

    #expect(made.color == .assumed(for: format))
    #expect(made.layout.planes.allSatisfy { $0.bytesPerRow.isMultiple(of: alignment) })
    #expect(made.layout.planes.allSatisfy { $0.offset.isMultiple(of: alignment) })
    #expect(try made.rows() == model.rows())
    made.withUnsafePlanes { planes in
      let start = planes.map { UInt(bitPattern: $0.baseAddress) }
      #expect(start.allSatisfy { $0.isMultiple(of: UInt(alignment)) })
    }
  }

  @Test func endsSomewhereWhateverItsNumbers() throws {
    let plane = try require(PixelLayout(format: .grey, width: 6, height: 4)).planes[0]
    #expect(plane.endOffset == 24)
    let properties = [\PixelLayout.Plane.offset, \.bytesPerRow, \.sampleBytesPerRow, \.rowCount]
    for property in properties {
      for other in properties {
        for number in [Int.max, .min, -1] {
          var odd = plane
          odd[keyPath: property] = .max
          odd[keyPath: other] = number
          _ = odd.endOffset
        }
      }
      var large = plane
      large[keyPath: property] = .max
      #expect(large.endOffset == .max)
    }
  }

  @Test func isBlackUntilSomebodyWrites() throws {
    let pixels = try PixelBuffer(format: .grey, width: 9, height: 2) { _, _, _ in }
    #expect(
      try pixels.rows() == [[UInt8](repeating: 0, count: 9), [UInt8](repeating: 0, count: 9)])
  }

  @Test(
    arguments: [
      (PixelFormat.grey, 0, 1, 1, ImagingError.Code.tooLarge), (.grey, 1, -1, 1, .tooLarge),
      (.grey, .max, .max, 1, .tooLarge), (.bgra, 65_535, 65_535, 64, .tooLarge),
      (.bgra, 65_536, 1, 1, .tooLarge), (.grey, 1, 1, 3, .unsupported),
      (.grey, 1, 1, 0, .unsupported), (.grey, 1, 1, 128, .unsupported),
      (.mjpeg, 1, 1, 1, .unsupported), (.nv12Multiplanar, 2, 2, 1, .unsupported),
    ])
  func isNotMadeOfNonsense(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ alignment: Int, _ code: ImagingError.Code
  ) {
    let error = #expect(throws: ImagingError.self) {
      try PixelBuffer(format: format, width: width, height: height, alignment: alignment) {
        _, _, _ in Issue.record("nothing is to be filled")
      }
    }
    #expect(error?.code == code)
  }

  @Test func isNotMadeWhereFillingFails() {
    let error = #expect(throws: ImagingError.self) {
      try PixelBuffer(format: .grey, width: 4, height: 4) {
        (_, row, _) throws(ImagingError) in
        if row == 2 { throw ImagingError(.incomplete, "The sensor is gone.") }
      }
    }
    #expect(error?.code == .incomplete)
  }

  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func hasPartsThatShareItsSamples(_ format: PixelFormat, _ color: ColorDescription) throws {
    let pixels = try Scene.gradient(width: 45, height: 19).pixels(format, color, gap: 6)
    let whole = try pixels.converted(to: .bgra)
    for (columns, rows) in [(0..<45, 0..<19), (2..<45, 4..<19), (8..<9, 6..<7), (10..<31, 2..<12)] {
      let part = try #require(pixels.part(columns: columns, rows: rows))
      #expect(part.width == columns.count && part.height == rows.count && part.color == color)
      let expected = try #require(whole.part(columns: columns, rows: rows)).rows()
      #expect(try part.converted(to: .bgra).rows() == expected)
      let first = pixels.withUnsafePlanes { $0[0].baseAddress }
      let own = part.withUnsafePlanes { $0[0].baseAddress }
      #expect(columns.lowerBound > 0 || first == own)
      #expect(try JPEGEncoder().encode(part).isEmpty == false)
    }
  }

  @Test(arguments: Scene.rawFormats)
  func hasNoPartBeyondItsEdgesOrWithinSharedChroma(_ format: PixelFormat) throws {
    let pixels = try Scene.bars().pixels(format)
    #expect(pixels.part(columns: 0..<0, rows: 0..<1) == nil)
    #expect(pixels.part(columns: -2..<4, rows: 0..<1) == nil)
    #expect(pixels.part(columns: 0..<129, rows: 0..<1) == nil)
    #expect(pixels.part(columns: 0..<1, rows: 0..<33) == nil)
    #expect(pixels.part(columns: .max - 1..<(.max), rows: 0..<1) == nil)
    #expect((pixels.part(columns: 1..<5, rows: 0..<2) == nil) == format.isYCbCr)
    let sharesRows = format.isYCbCr && format != .yuyv && format != .uyvy
    #expect((pixels.part(columns: 0..<4, rows: 1..<3) == nil) == sharesRows)
  }
}
