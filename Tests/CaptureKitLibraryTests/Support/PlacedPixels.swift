import Foundation
import Imaging

/// A picture whose pixels say where they are stored, for references of turns and parts.
enum PlacedPixels {
  static let size = PixelSize(width: 48, height: 32)
  private static let steps = (x: 5, y: 7)

  enum Form: String, CaseIterable { case pixels, png, jpeg }

  static func image(_ orientation: ImageOrientation, _ form: Form) throws -> Image {
    let image = Image(try pixels(), orientation: orientation)
    switch form {
    case .pixels: return image
    case .png: return try Image(image.pngData() ?? Data())
    case .jpeg: return try Image(image.jpegData(compressionQuality: 1) ?? Data())
    }
  }

  private static func pixels() throws -> PixelBuffer {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width { bytes += [UInt8(steps.x * x), UInt8(steps.y * y), 100, 255] }
    }
    guard let layout = PixelLayout(format: .bgra, width: size.width, height: size.height),
      let pixels = PixelBuffer(layout: layout, bytes: bytes)
    else { throw NoPixels() }
    return pixels
  }

  struct NoPixels: Error {}

  /// Where each pixel of a picture, as it is shown, says that it is stored.
  static func places(in image: Image) throws -> [[Place]] {
    let pixels = try image.orientedPixelBuffer()
    return (0..<pixels.height).map { row in
      let bytes = pixels.bytes(ofPlane: 0, row: row)
      return (0..<pixels.width).map { column in
        func channel(_ index: Int, _ step: Int) -> Double {
          let value = bytes.unsafeLoad(fromByteOffset: 4 * column + index, as: UInt8.self)
          return Double(value) / Double(step)
        }
        return Place(x: channel(0, steps.x), y: channel(1, steps.y))
      }
    }
  }

  struct Place: Hashable {
    var x, y: Double
  }

  /// Whether pixels are those that are expected: exactly, or as far as a JPEG's rounding allows,
  /// which never adds up to a shift.
  static func are(_ places: [[Place]], _ expected: [[Place]], exactly: Bool) -> Bool {
    guard !exactly else { return places == expected }
    guard places.map(\.count) == expected.map(\.count) else { return false }
    let errors = zip(places.joined(), expected.joined()).map { ($0.x - $1.x, $0.y - $1.y) }
    let sum = errors.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    let count = Double(errors.count)
    return errors.allSatisfy { abs($0.0) < 1.5 && abs($0.1) < 1.5 }
      && abs(sum.0 / count) < 0.5 && abs(sum.1 / count) < 0.5
  }

  /// What a part of the shown picture, turned, has to look like: by EXIF's own definition of its
  /// orientations.
  static func expected(
    _ orientation: ImageOrientation, _ part: PixelRect, quarterTurns: Int
  ) -> [[Place]] {
    let (lastX, lastY) = (Double(size.width) - 1, Double(size.height) - 1)
    var rows = (part.y..<part.y + part.height).map { y in
      (part.x..<part.x + part.width).map { x in
        let (x, y) = (Double(x), Double(y))
        return switch orientation {
        case .up: Place(x: x, y: y)
        case .upMirrored: Place(x: lastX - x, y: y)
        case .down: Place(x: lastX - x, y: lastY - y)
        case .downMirrored: Place(x: x, y: lastY - y)
        case .leftMirrored: Place(x: y, y: x)
        case .right: Place(x: y, y: lastY - x)
        case .rightMirrored: Place(x: lastX - y, y: lastY - x)
        case .left: Place(x: lastX - y, y: x)
        }
      }
    }
    for _ in 0..<quarterTurns {
      let before = rows
      rows = before[0].indices.map { column in before.reversed().map { $0[column] } }
    }
    return rows
  }
}
