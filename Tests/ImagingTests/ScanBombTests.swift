import Foundation
import Testing

@testable import Imaging

/// A few kilobytes that ask for minutes: scans that say nothing, of a large picture.
@Suite(.timeLimit(.minutes(1)))
struct ScanBombTests {
  /// A grey progressive JPEG whose scans after the second one refine coefficients that are all
  /// zero: the dearest thing that a decoder can be made to do for so few bytes.
  static func bomb(_ size: PixelSize, scanCount: Int) -> Data {
    let blocks = ((size.width + 7) / 8) * ((size.height + 7) / 8)
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }
    /// A table of one code of one bit.
    func table(_ index: UInt8, _ symbol: UInt8) -> [UInt8] {
      segment(0xC4, [index, 1] + [UInt8](repeating: 0, count: 15) + [symbol])
    }
    func scan(_ first: UInt8, _ last: UInt8, _ bits: UInt8, codes: Int) -> [UInt8] {
      segment(0xDA, [1, 1, 0, first, last, bits]) + [UInt8](repeating: 0, count: codes / 8 + 1)
    }
    let runs = (blocks + 16_383) / 16_384
    let again = scan(1, 63, 0x10, codes: 15 * runs)
    var data = Data([0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)))
    let frame = [size.height, size.width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    data += segment(0xC2, [8] + frame + [1, 1, 0x11, 0])
    // No difference; and 16 384 blocks without a coefficient more.
    data += table(0x00, 0x00) + table(0x10, 0xE0)
    data += scan(0, 0, 0, codes: blocks)
    data += scan(1, 63, 0x01, codes: 15 * runs)
    for _ in 2..<scanCount { data += again }
    return data + [0xFF, 0xD9]
  }

  /// Pictures, how many scans are read, and how many are too many.
  @Test(
    arguments: [
      (1000, 1000, 400, [501]), (4000, 3000, 30, [60, 501]), (16_000, 9000, 7, [20]),
    ])
  func takesBoundedTime(
    _ width: Int, _ height: Int, _ allowed: Int, _ refused: [Int]
  ) throws {
    let folder = try ScratchFolder()
    for count in [allowed] + refused {
      let data = Self.bomb(PixelSize(width: width, height: height), scanCount: count)
      let url = URL(filePath: try folder.file("bomb.jpg", data))
      let image = try Image(data)
      let readings: [() throws -> Image] = [
        { try image.thumbnail(maxPixelSize: 64) },
        { try Image.thumbnail(contentsOf: url, maxPixelSize: 64) },
        { try image.rotated(by: .half, oddEdges: .trim) },
      ]
      for reading in readings.prefix(width < 10_000 ? 3 : 2) {
        let start = Self.processorTime
        if count == allowed {
          #expect(throws: Never.self) { try reading() }
        } else {
          let error = #expect(throws: ImagingError.self) { try reading() }
          #expect(error?.code == .tooLarge)
          #expect(error?.description.contains("scans") == true)
        }
        let seconds = Self.processorTime - start
        #expect(seconds < 8, "\(width)×\(height), \(count) scans")
      }
    }
  }

  /// Seconds that this thread has had a processor: others may have it meanwhile.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
