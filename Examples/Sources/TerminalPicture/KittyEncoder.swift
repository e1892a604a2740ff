import Foundation
import Imaging

/// Turns pictures into images of Kitty's graphics protocol, each over all of the terminal.
///
/// An image is shown before the one before it is deleted, so that nothing is seen in between.
struct KittyEncoder: Sendable {
  /// The most bytes of base64 in one command.
  static let chunkByteCount = 4096

  let size: TerminalSize
  /// Two images take turns.
  private let numbers: (UInt32, UInt32)
  private var isSecond = false
  private var isShowing = false

  /// - Parameters:
  ///   - size: The cells that pictures fill.
  ///   - number: An image number that nobody else has, nor the one after it.
  init(size: TerminalSize, number: UInt32) {
    self.size = size
    numbers = (number, number + 1)
  }

  /// What deletes both images, and their pixels from the terminal's memory.
  static func deletion(number: UInt32) -> String {
    "\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\\u{1B}_Ga=d,d=I,i=\(number + 1),q=2\u{1B}\\"
  }

  /// What is to be written to show a picture.
  ///
  /// - Parameter pixels: An uncompressed picture of any size; the terminal brings it to its own.
  /// - Returns: The bytes; nil where it cannot be converted.
  mutating func encode(_ pixels: PixelBuffer) -> [UInt8]? {
    guard let rgb = try? pixels.converted(to: .rgb24) else { return nil }
    let data = rgb.bytes(ofPlane: 0).withUnsafeBytes { Data($0) }.base64EncodedData()
    let number = isSecond ? numbers.1 : numbers.0
    let old = isSecond ? numbers.0 : numbers.1
    var control =
      "a=T,q=2,f=24,s=\(rgb.width),v=\(rgb.height),i=\(number),C=1,c=\(size.columns),r=\(size.rows),"
    var bytes = Array("\u{1B}[H".utf8)
    bytes.reserveCapacity(data.count + data.count / Self.chunkByteCount * 12 + 200)
    var start = 0
    while start < data.count {
      let end = min(start + Self.chunkByteCount, data.count)
      bytes += "\u{1B}_G\(control)m=\(end < data.count ? 1 : 0);".utf8
      bytes += data[start..<end]
      bytes += "\u{1B}\\".utf8
      // Only the first one says what it is.
      control = "q=2,"
      start = end
    }
    if isShowing { bytes += "\u{1B}_Ga=d,d=I,i=\(old),q=2\u{1B}\\".utf8 }
    isSecond.toggle()
    isShowing = true
    return bytes
  }
}
