import Foundation
import Testing

@testable import Imaging

/// Files of ImageMagick, beside its own decoding of them.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: Programs.convert != nil, "ImageMagick's convert is not installed"))
struct PNGOfOthersTests {
  @Test(arguments: PNGBytes.kinds.indices, ["none", "PNG"])
  func decodesAsImageMagickDoes(_ kind: Int, _ interlacing: String) throws {
    let (colorType, depth) = PNGBytes.kinds[kind]
    let folder = try ScratchFolder()
    let file = folder.path("made.png")
    let hasAlpha = colorType & 4 != 0
    let colors = depth >= 8 ? (colorType == 3 ? 250 : 65536) : 1 << depth
    let arguments =
      [
        "-size", "67x41", "plasma:tomato-steelblue", "-seed", "7", "-alpha",
        hasAlpha ? "set" : "off",
      ]
      + (hasAlpha ? ["-channel", "A", "-evaluate", "multiply", "0.6", "+channel"] : [])
      + ["-colorspace", colorType == 0 || colorType == 4 ? "Gray" : "sRGB"]
      + ["-depth", "\(depth)", "-colors", "\(colors)", "-interlace", interlacing]
      + ["-define", "png:color-type=\(colorType)", "-define", "png:bit-depth=\(depth)", file]
    _ = try Programs.run(Programs.convert, arguments)
    let data = try Data(contentsOf: URL(filePath: file))
    let structure = try PNGStructure(walking: data.bytes)
    #expect(structure.colorType.rawValue == colorType)
    #expect(structure.isInterlaced == (interlacing == "PNG"))

    let theirs = [UInt8](try Programs.run(Programs.convert, [file, "-depth", "8", "BGRA:-"]))
    let pixels = try Image(data).pixelBuffer()
    try #require(theirs.count == 67 * 41 * 4)
    for y in 0..<41 {
      for x in 0..<67 {
        let place = (y * 67 + x) * 4
        let ours = pixels.bgra(x, y)
        guard
          (0..<4).allSatisfy({
            abs(Int(ours[$0]) - Int(theirs[place + $0])) <= (depth == 16 ? 1 : 0)
          })
        else {
          Issue.record("\(x), \(y): \(ours) and \(theirs[place..<place + 4])")
          return
        }
      }
    }
  }
}
