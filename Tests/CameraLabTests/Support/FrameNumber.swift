import CaptureKitLinux
import Foundation
import Imaging

/// The number that the lab's USB camera writes into each frame, counted from the stream's start.
///
/// Along the top edge lie cells of 16 by 16 pixels: white, black, then 16 bits, white is 1.
enum FrameNumber {
  static func read(_ photo: CapturePhoto) throws -> Int? {
    read(try photo.image.pixelBuffer())
  }

  static func read(_ copy: LabTap.Copy) throws -> Int? {
    if copy.pixelFormat.isJPEG { return read(try Image(copy.bytes).pixelBuffer()) }
    guard copy.pixelFormat == .yuyv else { return nil }
    return number { x, y in copy.bytes[(y * copy.width + x) * 2] }
  }

  static func read(_ pixels: PixelBuffer) -> Int? {
    number { x, y in Colour(of: pixels, x: x, y: y).green }
  }

  private static func number(brightness: (Int, Int) -> UInt8) -> Int? {
    let cells = (0..<18).map { brightness($0 * 16 + 8, 8) }
    guard cells[0] > 200, cells[1] < 50, cells.allSatisfy({ $0 > 200 || $0 < 50 }) else {
      return nil
    }
    return cells.dropFirst(2).reduce(0) { $0 << 1 | ($1 > 200 ? 1 : 0) }
  }
}
