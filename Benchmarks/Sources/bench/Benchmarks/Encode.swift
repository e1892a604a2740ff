import Foundation
import Imaging

extension Benchmark {
  /// Pixels of a screen's format, 4:2:2 in the file.
  static let encodeBGRA = encode("encode-bgra", .bgra, "TurboJPEG from C, same samples")
  /// What cameras and video decoders hand out, in limited range.
  static let encodeNV12 = encode(
    "encode-nv12", .nv12, "TurboJPEG from C on ready full-range planes")
  /// Luma alone, in full range.
  static let encodeGrey = encode("encode-grey", .grey, "TurboJPEG from C, same samples")

  private static func encode(
    _ name: String, _ format: PixelFormat, _ baseName: String
  ) -> Benchmark {
    Benchmark(name: name, usualRounds: 41) { rounds in
      let scene = Scene()
      let pixels = try scene.pixels(format)
      let ready = try TurboPicture(pixels)
      let turbo = try TurboEncoder(for: ready)
      let encoder = JPEGEncoder(quality: 0.85)
      var photo = Data()
      let pair = try await Pair.measure(rounds: rounds) {
        try ProcessorClock.process.cost(repeating: 1) { photo = try encoder.encode(pixels) }
      } base: {
        try ProcessorClock.process.cost(repeating: 1) { try turbo.encode(ready, quality: 85) }
      }
      var result = Measurement(pair: pair, unit: "µs", baseName: baseName, limit: 1.05)
      let base = Array(try turbo.encode(ready, quality: 85))
      result.check(
        photo.count <= base.count + 64, "\(photo.count) bytes, the base's has \(base.count)")
      guard format != .grey else { return result }
      let (quality, baseQuality) = (scene.psnr(of: photo), scene.psnr(of: base))
      result.check(
        quality >= baseQuality - 0.05,
        "\(hundredths(quality)) dB against the scene, the base has \(hundredths(baseQuality))")
      return result
    }
  }
}

extension Scene {
  /// The scene as uncompressed pixels: BT.601, limited range where there is chroma.
  func pixels(_ format: PixelFormat) throws -> PixelBuffer {
    guard let layout = PixelLayout(format: .rgb24, width: width, height: height),
      let pixels = PixelBuffer(layout: layout, bytes: rgb)
    else { throw BenchmarkFailure(description: "the scene is no picture") }
    return try pixels.converted(to: format)
  }
}
