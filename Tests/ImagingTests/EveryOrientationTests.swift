import Foundation
import Testing

@testable import Imaging

/// Every operation on every kind of picture in every orientation, compared with pixels that a test
/// moves one by one.
@Suite(.timeLimit(.minutes(1)))
struct EveryOrientationTests {
  /// Pixels in their rows.
  private struct Rows {
    var width: Int
    var height: Int
    var pixel: (_ x: Int, _ y: Int) -> [UInt8]

    init(_ width: Int, _ height: Int, _ pixel: @escaping (_ x: Int, _ y: Int) -> [UInt8]) {
      (self.width, self.height, self.pixel) = (width, height, pixel)
    }

    init(_ pixels: PixelBuffer) {
      self.init(pixels.width, pixels.height) { pixels.bgra($0, $1) }
    }

    /// As EXIF defines its eight numbers: where row 0 and column 0 are seen.
    func shown(_ orientation: Int) -> Rows {
      let (w, h, pixel) = (width, height, pixel)
      return switch orientation {
      case 1: self
      case 2: Rows(w, h) { x, y in pixel(w - 1 - x, y) }
      case 3: Rows(w, h) { x, y in pixel(w - 1 - x, h - 1 - y) }
      case 4: Rows(w, h) { x, y in pixel(x, h - 1 - y) }
      case 5: Rows(h, w) { x, y in pixel(y, x) }
      case 6: Rows(h, w) { x, y in pixel(y, h - 1 - x) }
      case 7: Rows(h, w) { x, y in pixel(w - 1 - y, h - 1 - x) }
      default: Rows(h, w) { x, y in pixel(w - 1 - y, x) }
      }
    }

    func part(_ rect: PixelRect) -> Rows {
      Rows(rect.width, rect.height) { [pixel] x, y in pixel(rect.x + x, rect.y + y) }
    }

    /// The mean distance of the colours of some pixels.
    func error(to other: PixelBuffer) -> Double {
      guard width == other.width, height == other.height else { return .infinity }
      var (sum, count) = (0, 0)
      for y in stride(from: 0, to: height, by: 3) {
        for x in stride(from: 0, to: width, by: 3) {
          sum += zip(pixel(x, y), other.bgra(x, y)).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
          count += 4
        }
      }
      return Double(sum) / Double(count)
    }
  }

  private enum Kind: CaseIterable { case wholeBlocks, oddBlocks, png, pixels }

  private static func image(_ kind: Kind, _ orientation: ImageOrientation) throws -> Image {
    var metadata = ImageMetadata()
    metadata.orientation = orientation
    metadata.make = "Maker"
    let size = kind == .wholeBlocks ? (96, 64) : (91, 61)
    let scene = Scene.gradient(width: size.0, height: size.1)
    switch kind {
    case .wholeBlocks, .oddBlocks:
      return try Image(
        JPEGEncoder(quality: 0.95).encode(scene.pixels(.nv12), metadata: metadata))
    case .png:
      return try Image(require(Image(scene.pixels(.bgra), metadata: metadata).pngData()))
    case .pixels: return Image(try scene.pixels(.bgra), metadata: metadata)
    }
  }

  private static func policies(_ kind: Kind) -> [OddEdges] {
    switch kind {
    case .wholeBlocks: [.fail, .trim, .exifOnly, .reencode()]
    case .oddBlocks: [.reencode(quality: 1), .exifOnly]
    case .png, .pixels: [.fail]
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func isTurnedMirroredAndBaked(_ orientation: ImageOrientation) throws {
    for kind in Kind.allCases {
      let image = try Self.image(kind, orientation)
      let shown = Rows(try image.pixelBuffer()).shown(orientation.rawValue)
      #expect(try shown.error(to: image.orientedPixelBuffer()) == 0)
      for oddEdges in Self.policies(kind) {
        for (result, expected) in [
          (try image.rotated(by: .clockwise90, oddEdges: oddEdges), shown.shown(6)),
          (try image.rotated(by: .half, oddEdges: oddEdges), shown.shown(3)),
          (try image.rotated(by: .counterclockwise90, oddEdges: oddEdges), shown.shown(8)),
          (try image.mirrored(.horizontal, oddEdges: oddEdges), shown.shown(2)),
          (try image.mirrored(.vertical, oddEdges: oddEdges), shown.shown(4)),
          (try image.bakingOrientation(oddEdges: oddEdges), shown),
        ] {
          let error = try expected.error(to: result.orientedPixelBuffer())
          #expect(error <= (image.format == .jpeg ? 2 : 0), "\(kind) \(oddEdges)")
          #expect(result.size == PixelSize(width: expected.width, height: expected.height))
          let isTagged = kind == .oddBlocks && oddEdges == .exifOnly
          #expect(result.orientation == .up || isTagged)
          #expect(result.metadata.make == "Maker")
        }
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func isCut(_ orientation: ImageOrientation) throws {
    for kind in Kind.allCases {
      let image = try Self.image(kind, orientation)
      let shown = Rows(try image.orientedPixelBuffer())
      let oddEdges = kind == .oddBlocks || kind == .wholeBlocks ? OddEdges.reencode() : .fail
      for rect in [
        PixelRect(x: 16, y: 16, width: 32, height: 32),
        PixelRect(x: 5, y: 9, width: 33, height: 27),
        PixelRect(x: shown.width - 20, y: shown.height - 21, width: 20, height: 21),
        PixelRect(x: 0, y: 0, width: shown.width, height: shown.height),
      ] {
        let cut = try image.cropped(to: rect, oddEdges: oddEdges)
        let error = try shown.part(rect).error(to: cut.orientedPixelBuffer())
        #expect(error <= (image.format == .jpeg ? 2 : 0), "\(kind) \(rect)")
        #expect(cut.orientation == orientation && cut.metadata.make == "Maker")
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases, [1, 1.5])
  func isResized(_ orientation: ImageOrientation, _ scale: Double) throws {
    for kind in Kind.allCases {
      let image = try Self.image(kind, orientation)
      let upright = Image(try image.orientedPixelBuffer())
      for mode in [Image.ContentMode.scaleAspectFit, .scaleAspectFill, .scaleToFill] {
        for size in [CGSize(width: 20, height: 30), CGSize(width: 60, height: 24)] {
          for isLinear in [false, true] {
            let result = try image.resized(
              to: size, contentMode: mode, scale: scale, inLinearLight: isLinear)
            let expected = try upright.resized(
              to: size, contentMode: mode, scale: scale, inLinearLight: isLinear)
            #expect(try Rows(result.pixelBuffer()).error(to: expected.pixelBuffer()) < 2)
            #expect(result.orientation == .up)
            let isWhole = mode != .scaleAspectFit
            #expect(!isWhole || result.pixelWidth == Int(size.width * scale))
          }
        }
      }
      for longest in [1, 7, 40, 1000] {
        let thumbnail = try image.thumbnail(maxPixelSize: longest)
        let expected = try upright.thumbnail(maxPixelSize: longest)
        #expect(try Rows(thumbnail.pixelBuffer()).error(to: expected.pixelBuffer()) < 2)
      }
    }
  }
}
