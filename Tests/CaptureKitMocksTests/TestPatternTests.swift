import CaptureKitMocks
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestPatternTests {
  static let colored: [PixelFormat] = [.yuyv, .uyvy, .nv12, .yuv420, .rgb24, .bgr24, .bgra32]
  static let raw: [PixelFormat] = colored + [.grey]
  static let colors: [ColorDescription] = [
    .bt601Limited, .jpeg, ColorDescription(matrix: .bt709, range: .limited),
  ]

  @Test(arguments: colored, colors)
  func showsEachBarInItsColor(format: PixelFormat, color: ColorDescription) throws {
    let pattern = TestPattern(width: 320, height: 240)
    let picture = try unwrap(pattern.pixelBuffer(frame: 77, format: format, color: color))
    #expect(picture.color == color)
    for bar in 0..<TestPattern.barCount {
      let place = pattern.center(ofBar: bar)
      let seen = try Reader(picture).color(x: place.x, y: place.y)
      #expect(seen.isWithin(2, of: TestPattern.color(ofBar: bar)), "bar \(bar): \(seen)")
    }
  }

  @Test(arguments: [ColorDescription.Range.limited, .full])
  func showsGreyBarsInTheirLuma(range: ColorDescription.Range) throws {
    let pattern = TestPattern(width: 320, height: 240)
    let color = ColorDescription(matrix: .bt601, range: range)
    let picture = try unwrap(pattern.pixelBuffer(frame: 1, format: .grey, color: color))
    let lumas = (0..<8).map { bar in
      let place = pattern.center(ofBar: bar)
      return Reader(picture).byte(plane: 0, row: place.y, offset: place.x)
    }
    // Weights 0.299, 0.587, 0.114 of 191, and 219/255 of that above 16.
    let full: [UInt8] = [191, 169, 134, 112, 79, 57, 22, 0]
    let limited: [UInt8] = [180, 161, 131, 112, 84, 65, 35, 16]
    #expect(lumas == (range == .full ? full : limited))
  }

  @Test
  func barsAreThoseOfTheTable() {
    let table: [[UInt8]] = [
      [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0],
      [0, 0, 191], [0, 0, 0],
    ]
    #expect(
      (0..<8).map { TestPattern.color(ofBar: $0) }.map { [$0.red, $0.green, $0.blue] } == table)
    #expect(TestPattern.color(ofBar: -1) == TestPattern.color(ofBar: 8))
  }

  @Test(arguments: raw, [0, 1, 0x5555, 0xAAAA, 0xFFFF])
  func carriesItsNumber(format: PixelFormat, number: Int) throws {
    for width in [36, 37, 100, 287, 640] {
      let pattern = TestPattern(width: width, height: 48)
      let picture = try unwrap(pattern.pixelBuffer(frame: number, format: format))
      #expect(TestPattern.frameNumber(in: picture) == number, "\(width)")
    }
  }

  @Test
  func numbersStartAgainAfterSixteenBits() throws {
    let pattern = TestPattern(width: 320, height: 240)
    let picture = try unwrap(pattern.pixelBuffer(frame: 65_536 + 3, format: .grey))
    #expect(TestPattern.frameNumber(in: picture) == 3)
  }

  @Test
  func readsNoNumberWhereThereIsNone() throws {
    let layout = try unwrap(PixelLayout(format: .grey, width: 320, height: 240))
    for level: UInt8 in [0, 128, 255] {
      let plain = PixelBuffer(
        layout: layout, bytes: [UInt8](repeating: level, count: 320 * 240))
      #expect(TestPattern.frameNumber(in: try unwrap(plain)) == nil)
    }
    let narrow = TestPattern(width: 16, height: 16).pixelBuffer(frame: 1, format: .grey)
    #expect(TestPattern.frameNumber(in: try unwrap(narrow)) == nil)
  }

  @Test
  func movesAndCountsInDigitsFromFrameToFrame() throws {
    let pattern = TestPattern(width: 640, height: 480)
    let (one, two) = try (
      Reader(unwrap(pattern.pixelBuffer(frame: 1, format: .grey))),
      Reader(unwrap(pattern.pixelBuffer(frame: 2, format: .grey)))
    )
    let differing = (0..<480).filter { one.row($0) != two.row($0) }
    #expect(differing.contains { $0 < 16 }, "cells")
    #expect(!differing.contains { (16..<360).contains($0) }, "bars stand still")
    #expect(differing.contains { (360..<374).contains($0) }, "the block moves")
    #expect(differing.contains { $0 >= 388 }, "digits")
  }

  @Test
  func writesDigitsThatPeopleCanRead() throws {
    let pattern = TestPattern(width: 640, height: 480)
    let reader = Reader(try unwrap(pattern.pixelBuffer(frame: 40_917, format: .grey)))
    // The band begins at row 360; a dot is 14 pixels, digits begin one dot in and two down.
    let lines = (0..<5).map { row in
      String(
        (0..<19).map { column in
          let isLit =
            reader.byte(plane: 0, row: 388 + row * 14 + 7, offset: 14 + column * 14 + 7) > 200
          return isLit ? "#" : " "
        })
    }
    #expect(
      lines == [
        "# # ### ###  #  ###",
        "# # # # # # ##    #",
        "### # # ###  #   # ",
        "  # # #   #  #   # ",
        "  # ### ### ###  # ",
      ])
  }

  @Test(arguments: [1, 2, 3, 17, 35, 36, 37, 65], [1, 2, 3, 9])
  func paintsAnySize(width: Int, height: Int) throws {
    for format in Self.raw {
      let picture = TestPattern(width: width, height: height).pixelBuffer(
        frame: 9, format: format)
      #expect(picture?.width == width && picture?.height == height)
    }
  }

  @Test
  func hasNoPictureOutOfBoundsOrCompressed() {
    for side in [Int.min, -1, Int.max] {
      let pattern = TestPattern(width: side, height: side)
      #expect(pattern.pixelBuffer(frame: 0, format: .grey) == nil)
      #expect(pattern.center(ofBar: Int.max).x >= 0)
    }
    #expect(TestPattern(width: 0, height: 8).pixelBuffer(frame: 0, format: .grey) == nil)
    #expect(TestPattern(width: 8, height: 70_000).pixelBuffer(frame: 0, format: .grey) == nil)
    #expect(TestPattern(width: 8, height: 8).pixelBuffer(frame: 0, format: .mjpeg) == nil)
  }
}
