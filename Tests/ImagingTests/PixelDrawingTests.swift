import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct PixelDrawingTests {
  private static let turns = [0, 90, 180, 270].flatMap { [($0, false), ($0, true)] }
  private static func filling(
    _ width: Int, _ height: Int, _ turn: (Int, Bool) = (0, false)
  ) -> PixelPlacement {
    PixelPlacement(
      canvas: PixelSize(width: width, height: height), x: 0, y: 0, width: Double(width),
      height: Double(height), clockwiseAngle: turn.0, isMirrored: turn.1)
  }

  // MARK: Colours and places

  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func showsFlatColoursAsTheConversionDoes(
    _ format: PixelFormat, _ description: ColorDescription
  ) throws {
    for (red, green, blue) in [(0, 0, 0), (255, 255, 255), (200, 30, 40), (10, 90, 220)] {
      let color = Scene.Color(red: Double(red), green: Double(green), blue: Double(blue))
      let pixels = try Scene(width: 40, height: 24) { _, _ in color }.pixels(format, description)
      let expected = try pixels.converted(to: .bgra32).bgra(3, 3)
      let drawn = try pixels.drawn(Self.filling(31, 45, (90, true))).bgra(30, 44)
      #expect(zip(drawn, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }
  }

  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func showsARampAndBarsInTheirColours(
    _ format: PixelFormat, _ description: ColorDescription
  ) throws {
    for scene in [Scene.greyRamp(), .bars()] {
      let pixels = try scene.pixels(format, description, gap: 6)
      for loops in Loops.allCases {
        let drawn = try PixelTilesBridge.draw(
          pixels, Self.filling(scene.width, scene.height), from: PixelPool(), loops)
        let error = drawn.largestError(inColumns: scene.columnsWithinBars) {
          scene.shown($0, $1, format, description)
        }
        #expect(error <= 2, "\(scene.width): \(error)")
      }
    }
  }

  @Test(arguments: Scene.rawFormats, turns)
  func drawsWhatAnExactScalerDraws(_ format: PixelFormat, _ turn: (Int, Bool)) throws {
    let color = format == .yuyv ? ColorDescription(matrix: .bt709, range: .limited) : .bt601Limited
    let pixels = try Scene.gradient(width: 45, height: 31).pixels(format, color, gap: 6)
    for (width, height) in [(30, 25), (40, 44), (60, 70), (28, 90)] {
      var placement = Self.filling(width, height, turn)
      // More than the canvas to the left and above, less on the other sides.
      placement.x = -3.25
      placement.y = -5.5
      let drawn = try pixels.drawn(placement)
      let columns = Array(stride(from: 0, to: placement.columns.upperBound, by: 3))
      let error = drawn.largestError(inColumns: columns) { x, y in
        guard placement.rows.contains(y) else { return Scene.Color(red: 0, green: 0, blue: 0) }
        return pixels.exactColor(placement, x, y)
      }
      #expect(error < 2.6, "\(width)×\(height): \(error)")
    }
  }

  @Test func copiesPixelsThatNeedNothing() throws {
    let pixels = try Scene.bars().pixels(.bgra32)
    let drawn = try pixels.drawn(Self.filling(128, 32))
    #expect(drawn.meanError(to: pixels) == 0)
  }

  @Test func averagesWhatASmallTargetHasNoRoomFor() throws {
    let chequered = Scene(width: 420, height: 300) { x, y in
      let level = (x + y) % 2 == 0 ? 255.0 : 0
      return Scene.Color(red: level, green: level, blue: level)
    }
    for format in [PixelFormat.grey, .bgra32, .rgb24, .nv12, .yuyv] {
      let pixels = try chequered.pixels(format)
      for (width, height) in [(42, 30), (1, 1), (3, 200), (200, 3)] {
        let drawn = try pixels.drawn(Self.filling(width, height))
        let error = drawn.largestError { _, _ in Scene.Color(red: 128, green: 128, blue: 128) }
        #expect(error <= (width > 100 || height > 100 ? 64 : 4), "\(format) \(width)×\(height)")
      }
    }
  }

  @Test func fillsWhatIsBesideThePicture() throws {
    let white = Scene(width: 8, height: 8) { _, _ in Scene.Color(red: 255, green: 255, blue: 255) }
    var placement = Self.filling(40, 30)
    (placement.x, placement.y, placement.width, placement.height) = (10, 5, 20, 20)
    placement.background = .init(red: 1, green: 2, blue: 3)
    let drawn = try white.pixels(.grey).drawn(placement)
    for y in 0..<30 {
      for x in 0..<40 {
        let isInside = (10..<30).contains(x) && (5..<25).contains(y)
        #expect(drawn.bgra(x, y) == (isInside ? [255, 255, 255, 255] : [3, 2, 1, 255]))
      }
    }
  }

  @Test func keepsNoNoiseThatTheTargetIsTooSmallFor() throws {
    // Stripes of one pixel: a scaler that looks at two samples shows beats of them.
    let stripes = Scene(width: 320, height: 8) { x, _ in
      let level = x % 2 == 0 ? 160.0 : 96
      return Scene.Color(red: level, green: level, blue: level)
    }
    for format in [PixelFormat.grey, .yuyv, .bgra32] {
      let drawn = try stripes.pixels(format).drawn(Self.filling(190, 8))
      let error = drawn.largestError { _, _ in Scene.Color(red: 128, green: 128, blue: 128) }
      #expect(error < 16, "\(format): \(error)")
    }
  }

  // MARK: Edges and bounds

  @Test(arguments: Scene.rawFormats)
  func drawsEverySizeAlikeWithAllLoops(_ format: PixelFormat) throws {
    for side in 1...33 {
      let pixels = try Scene.gradient(width: side, height: (side * 7) % 33 + 1).pixels(
        format, .bt601Limited)
      for (index, turn) in Self.turns.enumerated() {
        let placement = Self.filling((side * 5 + index) % 37 + 1, (side * 3 + index) % 41 + 1, turn)
        let pool = PixelPool()
        let portable = try PixelTilesBridge.draw(pixels, placement, from: pool, .portable)
        for loops in Loops.allCases {
          let drawn = try PixelTilesBridge.draw(pixels, placement, from: pool, loops)
          #expect(drawn.meanError(to: portable) == 0, "\(side) \(turn) \(loops)")
        }
      }
    }
  }

  @Test func drawsNothingWhereThereIsNoPlace() throws {
    let pixels = try Scene.bars().pixels(.yuyv)
    let places = [
      (Double.nan, 10.0), (0, 0), (0, -5), (.infinity, 10), (-100, 50), (500, 10), (0, .infinity),
    ]
    for (x, width) in places {
      var placement = Self.filling(16, 16)
      (placement.x, placement.width) = (x, width)
      placement.background = .init(red: 7, green: 7, blue: 7)
      #expect(try pixels.drawn(placement).bgra(8, 8) == [7, 7, 7, 255])
    }
  }

  @Test func drawsAnEnlargementBeyondMeasure() throws {
    var placement = Self.filling(16, 16, (270, false))
    (placement.x, placement.width, placement.height) = (-1e12, 2e12, 1e-3)
    placement.y = 7.4995
    #expect(try Scene.bars().pixels(.nv12).drawn(placement).bgra(8, 7)[3] == 255)
  }

  @Test func refusesWhatCannotBeDrawn() throws {
    let pixels = try Scene.bars().pixels(.grey)
    let error = #expect(throws: ImagingError.self) {
      try pixels.drawn(Self.filling(70_000, 1))
    }
    #expect(error?.code == .tooLarge)
  }

  // MARK: Memory

  @Test func usesTheMemoryOfPicturesThatNobodyHolds() throws {
    let pixels = try Scene.bars().pixels(.yuyv)
    let pool = PixelPool()
    func address(_ pixels: PixelBuffer) -> UnsafeRawPointer? {
      pixels.withUnsafePlanes { $0[0].baseAddress }
    }
    var first: PixelBuffer? = try pixels.drawn(Self.filling(64, 64), from: pool)
    let place = try require(first.flatMap(address))
    let second = try pixels.drawn(Self.filling(64, 64), from: pool)
    #expect(address(second) != place)
    first = nil
    #expect(address(try pixels.drawn(Self.filling(64, 64), from: pool)) == place)
  }
}

// MARK: - The same in floating point

extension PixelBuffer {
  /// What a canvas pixel shows: the weighted mean of the four samples around its centre, each plane
  /// by itself, chroma in the middle of the pixels that share it.
  fileprivate func exactColor(_ placement: PixelPlacement, _ x: Int, _ y: Int) -> Scene.Color {
    var across = (Double(x) + 0.5 - placement.x) / placement.width
    let down = (Double(y) + 0.5 - placement.y) / placement.height
    if placement.isMirrored { across = 1 - across }
    let (u, v) =
      switch placement.clockwiseAngle {
      case 90: (down, 1 - across)
      case 180: (1 - across, 1 - down)
      case 270: (1 - down, across)
      default: (across, down)
      }
    let place = (x: u * Double(width), y: v * Double(height))
    func at(_ plane: Int, _ offset: Int, _ spacing: Int, _ shares: (Int, Int) = (1, 1)) -> Double {
      exactSample(plane, offset, spacing, (place.x, place.y), shares)
    }
    switch format {
    case .bgra32, .bgr24, .rgb24:
      let size = format == .bgra32 ? 4 : 3
      let (first, second, third) = (at(0, 0, size), at(0, 1, size), at(0, 2, size))
      let isRedFirst = format == .rgb24
      return Scene.Color(
        red: isRedFirst ? first : third, green: second, blue: isRedFirst ? third : first)
    case .grey: return Scene.color((at(0, 0, 1), 128, 128), color)
    case .yuyv: return Scene.color((at(0, 0, 2), at(0, 1, 4, (2, 1)), at(0, 3, 4, (2, 1))), color)
    case .uyvy: return Scene.color((at(0, 1, 2), at(0, 0, 4, (2, 1)), at(0, 2, 4, (2, 1))), color)
    case .nv12, .nv12Multiplanar:
      return Scene.color((at(0, 0, 1), at(1, 0, 2, (2, 2)), at(1, 1, 2, (2, 2))), color)
    default: return Scene.color((at(0, 0, 1), at(1, 0, 1, (2, 2)), at(2, 0, 1, (2, 2))), color)
    }
  }

  private func exactSample(
    _ plane: Int, _ offset: Int, _ spacing: Int, _ place: (x: Double, y: Double),
    _ shares: (Int, Int)
  ) -> Double {
    let columns = (width + shares.0 - 1) / shares.0
    let rows = (height + shares.1 - 1) / shares.1
    let x = min(max(place.x / Double(shares.0) - 0.5, 0), Double(columns - 1))
    let y = min(max(place.y / Double(shares.1) - 0.5, 0), Double(rows - 1))
    let (left, top) = (Int(x), Int(y))
    return withUnsafePlanes { planes in
      func sample(_ column: Int, _ row: Int) -> Double {
        Double(
          planes[plane][
            min(row, rows - 1) * layout.planes[plane].bytesPerRow + offset + spacing
              * min(column, columns - 1)])
      }
      func row(_ row: Int) -> Double {
        sample(left, row) + (sample(left + 1, row) - sample(left, row)) * (x - Double(left))
      }
      return row(top) + (row(top + 1) - row(top)) * (y - Double(top))
    }
  }
}
