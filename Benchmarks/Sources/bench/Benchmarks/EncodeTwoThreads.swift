import Foundation
import Imaging

extension Benchmark {
  /// How long somebody waits for one large frame's JPEG: two threads beside one.
  static let encodeTwoThreads = Benchmark(name: "encode-two-threads", usualRounds: 21) { rounds in
    let pixels = try Scene(width: 3840, height: 2160).pixels(.nv12)
    let (one, two) = (JPEGEncoder(quality: 0.85), JPEGEncoder(quality: 0.85, threads: 2))
    var control = try SecondCore(pixels)
    var photos = (one: Data(), two: Data())
    let pair = try await Pair.measure(rounds: rounds) {
      try control.measure()
      return try waited { photos.two = try two.encode(pixels) }
    } base: {
      try waited { photos.one = try one.encode(pixels) }
    }
    // What the two cores give to a program that shares nothing at all, in the same rounds.
    let shown = control.ratios.median
    guard shown < SecondCore.limit else {
      throw Unavailable(
        description: "no second core: TurboJPEG twice at once takes \(hundredths(shown)) × once,"
          + " two threads here \(hundredths(pair.ratios.median)) × one")
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "one thread, both by the clock on the wall", limit: 0.65)
    result.notes.append("control: TurboJPEG twice at once takes \(hundredths(shown)) × once")
    result.check(
      try samePixels(photos.one, photos.two),
      "the pixels are the same (\(photos.one.count) and \(photos.two.count) bytes)")
    return result
  }

  private static func samePixels(_ one: Data, _ other: Data) throws -> Bool {
    bytes(of: try Image(one).pixelBuffer()) == bytes(of: try Image(other).pixelBuffer())
  }

  private static func bytes(of pixels: PixelBuffer) -> Data {
    pixels.bytes(ofPlane: 0).withUnsafeBytes { Data($0) }
  }
}

/// Whether the machine has a second core to give, as plain C sees it.
private struct SecondCore {
  /// Above this the second core was busy, or is none.
  static let limit = 1.25

  private(set) var ratios = Samples()
  private let picture: TurboPicture
  private let encoders: (TurboEncoder, TurboEncoder)

  init(_ pixels: PixelBuffer) throws {
    picture = try TurboPicture(pixels)
    encoders = (try TurboEncoder(for: picture), try TurboEncoder(for: picture))
  }

  mutating func measure() throws {
    let once = try waited { try encoders.0.encode(picture, quality: 85) }
    let twice = try waited {
      try encoders.0.encode(picture, besides: encoders.1, quality: 85)
    }
    ratios.append(twice / once)
  }
}
