import Foundation
import Testing

@testable import Imaging

/// Which part of a picture becomes how many pixels.
@Suite(.timeLimit(.minutes(1)))
struct ScalePlacementTests {
  private static let sides = [1, 2, 3, 7, 16, 33, 99, 100, 640, 3000, 4000, 12_000]
  private static let lengths = [0.1, 1, 1.5, 7, 33.3, 240, 320, 1024]

  private static func forEachCase(
    _ body: (_ picture: PixelSize, _ size: CGSize, _ scale: Double) throws -> Void
  ) rethrows {
    for width in sides {
      for height in sides {
        for length in lengths {
          for other in lengths {
            let picture = PixelSize(width: width, height: height)
            try body(picture, CGSize(width: length, height: other), length == 7 ? 2 : 1)
          }
        }
      }
    }
  }

  @Test func fitsWithProportionsKept() throws {
    try Self.forEachCase { picture, size, scale in
      let placement = try ScalePlacement(
        of: picture, filling: size, scale: scale, .scaleAspectFit)
      let (width, height) = (size.width * scale, size.height * scale)
      let target = placement.target

      // Rounding moves a side by half a pixel at most, and none below one.
      #expect(Double(target.width) <= max(1, width + 0.5))
      #expect(Double(target.height) <= max(1, height + 0.5))
      let factor = min(width / Double(picture.width), height / Double(picture.height))
      for (pixels, side) in [(target.width, picture.width), (target.height, picture.height)] {
        #expect(abs(Double(pixels) - Double(side) * factor) <= 0.5 + 1e-9 || pixels == 1)
      }
      #expect(placement == ScalePlacement(whole: picture, at: target))
    }
  }

  @Test func fillsAndCutsEvenly() throws {
    try Self.forEachCase { picture, size, scale in
      let placement = try ScalePlacement(
        of: picture, filling: size, scale: scale, .scaleAspectFill)
      let target = placement.target

      #expect(target.width == max(1, Int((size.width * scale).rounded())))
      #expect(target.height == max(1, Int((size.height * scale).rounded())))
      let right = Double(picture.width) - placement.x - placement.width
      let below = Double(picture.height) - placement.y - placement.height
      #expect(placement.x >= 0 && abs(placement.x - right) < 1e-9 * Double(picture.width))
      #expect(placement.y >= 0 && abs(placement.y - below) < 1e-9 * Double(picture.height))
      // One side is whole.
      #expect(min(placement.x, placement.y) < 1e-9 * Double(max(picture.width, picture.height)))
      let across = placement.width / Double(target.width)
      #expect(abs(across - placement.height / Double(target.height)) < 1e-9 * across)
    }
  }

  @Test func stretchesToTheSize() throws {
    try Self.forEachCase { picture, size, scale in
      let placement = try ScalePlacement(of: picture, filling: size, scale: scale, .scaleToFill)

      #expect(placement.target.width == max(1, Int((size.width * scale).rounded())))
      #expect(placement.target.height == max(1, Int((size.height * scale).rounded())))
      #expect(placement == ScalePlacement(whole: picture, at: placement.target))
    }
  }

  @Test func makesThumbnailsNoLarger() throws {
    for width in Self.sides {
      for height in Self.sides {
        for longest in [1, 2, 5, 90, 320, 12_000] {
          let picture = PixelSize(width: width, height: height)
          let target = try ScalePlacement(of: picture, longestSide: longest).target

          #expect(max(target.width, target.height) == min(longest, max(width, height)))
          #expect(min(target.width, target.height) >= 1)
          #expect(target.width <= width && target.height <= height)
        }
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func liesTheSameWayInStoredRows(_ orientation: ImageOrientation) throws {
    let shown = PixelSize(width: 400, height: 300)
    let placement = try ScalePlacement(
      of: shown, filling: CGSize(width: 20, height: 60), scale: 1, .scaleAspectFill)

    let stored = placement.stored(by: orientation)

    let parts = [stored.x, stored.y, stored.width, stored.height]
    let isTurned = orientation.swapsSides
    #expect(parts == (isTurned ? [0, 150, 300, 100] : [150, 0, 100, 300]))
    #expect(stored.target.width == (isTurned ? 60 : 20))
  }

  @Test(arguments: [
    (0.0, 10.0, 1.0), (10, 0, 1), (-5, 10, 1), (10, 10, 0), (10, 10, -1), (-10, -10, -1),
    (.nan, 10, 1), (10, .infinity, 1), (10, 10, .nan), (10, 10, .infinity), (1e300, 1e300, 1e300),
  ])
  func refusesWhatIsNoSize(_ width: Double, _ height: Double, _ scale: Double) {
    for mode in Image.ContentMode.allCases {
      let error = #expect(throws: ImagingError.self) {
        try ScalePlacement(
          of: PixelSize(width: 64, height: 64), filling: CGSize(width: width, height: height),
          scale: scale, mode)
      }
      #expect(error?.code == .invalidSize)
    }
  }

  @Test(arguments: [(70_000.0, 1.0), (1, 70_000), (20_000, 20_000), (1e100, 1e-99)])
  func refusesWhatNoMemoryIsTakenFor(_ width: Double, _ height: Double) {
    let error = #expect(throws: ImagingError.self) {
      try ScalePlacement(
        of: PixelSize(width: 64, height: 64), filling: CGSize(width: width, height: height),
        scale: 1, .scaleToFill)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test(arguments: [0, -1, .min])
  func refusesThumbnailsWithoutPixels(_ longest: Int) {
    let error = #expect(throws: ImagingError.self) {
      try ScalePlacement(of: PixelSize(width: 64, height: 64), longestSide: longest)
    }
    #expect(error?.code == .invalidSize)
  }
}
