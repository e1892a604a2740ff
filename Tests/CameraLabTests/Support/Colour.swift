import Imaging

/// A colour of 8 bits a channel, in full range.
struct Colour: Hashable, Sendable, CustomStringConvertible {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// A pixel of a decoded picture.
  init(of pixels: PixelBuffer, x: Int, y: Int) {
    let bytes = pixels.bytes(ofPlane: 0)
    let at = y * pixels.layout.planes[0].bytesPerRow + x * 4
    self.init(
      bytes.unsafeLoad(fromByteOffset: at + 2, as: UInt8.self),
      bytes.unsafeLoad(fromByteOffset: at + 1, as: UInt8.self),
      bytes.unsafeLoad(fromByteOffset: at, as: UInt8.self))
  }

  /// The largest difference of a channel.
  func distance(to other: Colour) -> Int {
    [(red, other.red), (green, other.green), (blue, other.blue)]
      .map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  var description: String { "(\(red), \(green), \(blue))" }
}
