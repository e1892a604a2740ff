import CTurboJPEG
import Foundation
import Testing

@testable import Imaging

/// Every size from 1 × 1 to 33 × 33, in every subsampling: blocks that are not whole at the edges.
@Suite(.timeLimit(.minutes(1)))
struct JPEGSizesTests {
  private static let side = 33

  /// BGRA samples of edges and noise.
  private static let samples = [UInt8](unsafeUninitializedCapacity: side * side * 4) {
    bytes, count in
    var state: UInt32 = 1
    for index in 0..<side * side * 4 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let isInside = index / 4 % side > 11 && index / 4 / side > 6
      bytes[index] = (isInside ? 170 : 30) + UInt8(truncatingIfNeeded: state >> 26)
    }
    count = side * side * 4
  }

  private static func pictures(
    _ sampling: Int, isProgressive: Bool = false,
    _ body: (PixelSize, Data, TurboJPEG) throws -> Void
  ) throws {
    let turbo = try TurboJPEG()
    for width in 1...side {
      for height in 1...side {
        let size = PixelSize(width: width, height: height)
        let jpeg = try turbo.encode(
          samples, bytesPerRow: side * 4, size, TurboJPEG.samplings[sampling],
          isProgressive: isProgressive)
        try body(size, jpeg, turbo)
      }
    }
  }

  @Test(arguments: TurboJPEG.samplings.indices, [false, true])
  func decodesAsTurboJPEGDoes(_ sampling: Int, _ isProgressive: Bool) throws {
    try Self.pictures(sampling, isProgressive: isProgressive) { size, jpeg, turbo in
      let pixels = try Image(jpeg).pixelBuffer()
      let expected = try turbo.decode(jpeg, size)
      let isSame = pixels.withUnsafePlanes { planes in
        expected.withUnsafeBytes { bytes in
          guard let one = bytes.baseAddress, let other = planes[0].baseAddress else { return false }
          return bytes.count == planes[0].count && memcmp(one, other, bytes.count) == 0
        }
      }
      if !isSame { Issue.record("\(size), sampling \(sampling)") }
    }
  }

  @Test(arguments: TurboJPEG.samplings.indices)
  func turnsWithoutLossExactlyWhereBlocksAllow(_ sampling: Int) throws {
    try Self.pictures(sampling) { size, jpeg, _ in
      let unit = try JPEGStructure(walking: jpeg.bytes).unit
      // A quarter turn clockwise makes the lower side the left one.
      let isWhole = size.height % unit.height == 0
      let turned = try JPEGTransform.oriented(jpeg, by: .right, oddEdges: .trimOrEncode(size, unit))
      #expect(
        turned.outcome == (isWhole ? .lossless : size.height < unit.height ? .reencoded : .trimmed))
      let expected = PixelSize(
        width: turned.outcome == .trimmed ? size.height / unit.height * unit.height : size.height,
        height: size.width)
      #expect(try JPEGStructure(walking: turned.data.bytes).size == expected)
    }
  }
}

extension OddEdges {
  /// Trims what is large enough for it.
  fileprivate static func trimOrEncode(_ size: PixelSize, _ unit: PixelSize) -> OddEdges {
    size.height < unit.height ? .reencode() : .trim
  }
}
