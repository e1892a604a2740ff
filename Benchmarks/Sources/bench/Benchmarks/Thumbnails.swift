import CBaselines
import Foundation
import Imaging

extension Benchmark {
  /// A small picture of a large one, as cheap as can be.
  static let thumbFast = Benchmark(name: "thumb-fast", usualRounds: 25) { rounds in
    try await thumbnail(rounds: rounds, limit: 1.15, leastPSNR: 46) {
      try Image($0).thumbnail(maxPixelSize: 320, quality: .fast)
    }
  }

  /// A small picture of a large one as it should be.
  static let thumbBest = Benchmark(name: "thumb-best", usualRounds: 25) { rounds in
    try await thumbnail(rounds: rounds, limit: 1.35, leastPSNR: 53) {
      try Image($0).thumbnail(maxPixelSize: 320)
    }
  }

  /// The same in linear light.
  static let thumbLinear = Benchmark(name: "thumb-linear", usualRounds: 25) { rounds in
    try await thumbnail(rounds: rounds, limit: 1.8, leastPSNR: 48, isLinear: true) {
      try Image($0).thumbnail(maxPixelSize: 320, inLinearLight: true)
    }
  }

  private static func thumbnail(
    rounds: Int, limit: Double, leastPSNR: Double, isLinear: Bool = false,
    _ thumbnail: (Data) throws -> Image
  ) async throws -> Measurement {
    let photographs = try Photographs()
    let jpeg = try photographs.jpeg()
    let bytes = [UInt8](jpeg)
    guard let decoder = cb_decoder_create() else {
      throw BenchmarkFailure(description: "TurboJPEG gives no decompressor")
    }
    defer { cb_decoder_destroy(decoder) }
    var room = [UInt8](repeating: 0, count: photographs.width / 8 * photographs.height / 8 * 4)
    var isSound = true
    var small: Image?
    let pair = try await Pair.measure(rounds: rounds) {
      try ProcessorClock.process.cost(repeating: 1) { small = try thumbnail(jpeg) } / 1000
    } base: {
      ProcessorClock.process.cost(repeating: 1) {
        isSound =
          cb_jpeg_eighth(decoder, bytes, bytes.count, &room, room.count) == 0 && isSound
      } / 1000
    }
    var result = Measurement(
      pair: pair, unit: "ms", baseName: "TurboJPEG's decode at 1/8 alone, from C", limit: limit)
    result.notes.append(
      "\(photographs.width)x\(photographs.height), 4:2:0, quality 92, \(bytes.count) bytes:"
        + " four photographs of mate-backgrounds with a sensor's noise")
    result.check(isSound, "the base has worked")
    let psnr = try Self.psnr(of: small, photographs, isLinear: isLinear)
    result.check(
      psnr >= leastPSNR,
      "\(hundredths(psnr)) dB against Lanczos' filter of the pixels before they were encoded,"
        + " \(isLinear ? "in linear light" : "in sRGB's numbers"); at least \(hundredths(leastPSNR))"
    )
    return result
  }

  private static func psnr(
    of image: Image?, _ photographs: Photographs, isLinear: Bool
  ) throws -> Double {
    guard let image, image.size == PixelSize(width: 320, height: 240) else {
      throw BenchmarkFailure(description: "the thumbnail has another size")
    }
    var reference = try photographs.reference(width: 320, height: 240, isLinear: isLinear)
    // Other programs' pictures are what those are held against; light is as it is.
    if !isLinear { reference = reference.map { $0.rounded() } }
    let pixels = try image.pixelBuffer()
    let bytes = pixels.bytes(ofPlane: 0).withUnsafeBytes { [UInt8]($0) }
    return cb_psnr_bgra(bytes, reference, 320 * 240)
  }
}
