import CBaselines
import Foundation
import Imaging

extension Benchmark {
  /// A quarter turn of a photo of 12 megapixels, from bytes to bytes, beside tjTransform in C.
  static let rotateLossless = Benchmark(name: "rotate-lossless", usualRounds: 21) { rounds in
    let scene = Scene(width: 4032, height: 3024)
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = cb_rgb_to_jpeg(scene.rgb, 4032, 3024, 92, 0, &bytes)
    guard let bytes, count > 0 else { throw BenchmarkFailure(description: "no picture") }
    let file = Data(bytesNoCopy: bytes, count: count, deallocator: .custom { _, _ in })
    defer { cb_jpeg_free(bytes) }

    var turned = Data()
    var plain: UnsafeMutablePointer<UInt8>?
    var plainCount = 0
    defer { cb_jpeg_free(plain) }
    let pair = try await Pair.measure(rounds: rounds) {
      try ProcessorClock.process.cost(repeating: 1) {
        turned = try JPEGTransform.oriented(file, by: .right, oddEdges: .fail).data
      }
    } base: {
      cb_jpeg_free(plain)
      return ProcessorClock.process.cost(repeating: 1) {
        plainCount = cb_jpeg_rotated(bytes, count, &plain)
      }
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "tjTransform from C, without EXIF", limit: 1.1)
    let base = Array(UnsafeBufferPointer(start: plain, count: plainCount))
    result.check(
      !base.isEmpty && JPEGSegments.scan(of: Array(turned)) == JPEGSegments.scan(of: base),
      "the scan is the base's, byte for byte (\(turned.count) bytes)")
    result.check(
      JPEGSegments.hasEXIF(Array(turned)), "the picture has EXIF, which says that it is upright")
    return result
  }
}
