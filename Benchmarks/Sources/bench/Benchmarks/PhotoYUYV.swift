import CBaselines
import Foundation
import Imaging

extension Benchmark {
  /// A raw frame made into a JPEG that means the same colours, beside libjpeg-turbo on samples that
  /// somebody else has made ready.
  static let photoYUYV = Benchmark(name: "photo-yuyv", usualRounds: 25) { rounds in
    let scene = Scene()
    let yuyv = scene.yuyv()
    let ready = Planes(yuyv: yuyv, width: scene.width, height: scene.height, expanding: true)
    let plain = try PlainEncoder(width: scene.width, height: scene.height)
    guard
      let layout = PixelLayout(format: .yuyv, width: scene.width, height: scene.height),
      let frame = PixelBuffer(layout: layout, color: .bt601Limited, bytes: yuyv)
    else { throw BenchmarkFailure(description: "the scene is no picture") }
    let encoder = JPEGEncoder(quality: 0.85)
    var photo = Data()
    let pair = try await Pair.measure(rounds: rounds) {
      try ProcessorClock.process.cost(repeating: 1) { photo = try encoder.encode(frame) }
    } base: {
      try ProcessorClock.process.cost(repeating: 1) { try plain.encode(ready, quality: 85) }
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "libjpeg-turbo on ready full-range planes", limit: 1.15)
    let quality = scene.psnr(of: photo)
    result.check(
      quality >= 38,
      "\(hundredths(quality)) dB against the scene, at least 38 (\(photo.count) bytes)")
    let unready = Planes(yuyv: yuyv, width: scene.width, height: scene.height, expanding: false)
    result.notes.append(
      "the base: \(hundredths(scene.psnr(of: try plain.encode(ready, quality: 85)))) dB; without the"
        + " range: \(hundredths(scene.psnr(of: try plain.encode(unready, quality: 85)))) dB")
    return result
  }
}
