public import Imaging

extension TestPattern {
  /// Reads the number of a frame from the cells along its top edge.
  ///
  /// Reads the pattern of this library's simulated cameras and the camera lab's, in any uncompressed
  /// format and unscaled; photos as well, as long as they are not turned.
  ///
  /// - Parameter picture: The frame, decoded where it was compressed.
  /// - Returns: 0 to 65 535; nil where there is no number: a black frame, or another picture.
  public static func frameNumber(in picture: PixelBuffer) -> Int? {
    let side = TestPattern(width: picture.width, height: picture.height).cellSide
    guard side > 0, picture.height >= side else { return nil }
    let isWhite = (0..<cellCount).map { cell in
      brightness(of: picture, x: cell * side + side / 2, y: side / 2).map { $0 > 120 }
    }
    guard isWhite[0] == true, isWhite[1] == false else { return nil }
    return isWhite[2...].reduce(0) { number, bit in
      number.flatMap { number in bit.map { number << 1 | ($0 ? 1 : 0) } }
    }
  }

  /// Luma, or green where there is none; nil for a format that has neither.
  private static func brightness(of picture: PixelBuffer, x: Int, y: Int) -> UInt8? {
    let offset: Int
    switch picture.format {
    case .yuyv: offset = 2 * x
    case .uyvy: offset = 2 * x + 1
    case .nv12, .nv12Multiplanar, .yuv420, .yuv420Multiplanar, .grey: offset = x
    case .rgb24, .bgr24: offset = 3 * x + 1
    case .bgra32: offset = 4 * x + 1
    default: return nil
    }
    let row = y * picture.layout.planes[0].bytesPerRow
    return picture.bytes(ofPlane: 0).unsafeLoad(fromByteOffset: row + offset, as: UInt8.self)
  }
}
