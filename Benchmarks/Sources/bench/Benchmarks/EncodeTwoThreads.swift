import Foundation
import Imaging

extension Benchmark {
  /// How long somebody waits for one large frame's JPEG: two threads beside one.
  static let encodeTwoThreads = Benchmark(name: "encode-two-threads", usualRounds: 21) { rounds in
    let pixels = try Scene(width: 3840, height: 2160).pixels(.nv12)
    let (one, two) = (JPEGEncoder(quality: 0.85), JPEGEncoder(quality: 0.85, threads: 2))
    let control = try SecondCore(pixels)
    var photos = (one: try one.encode(pixels), two: try two.encode(pixels))
    var (pair, controls) = (Pair(), Samples())
    // Others who work on this machine take its second core now and then: a round counts where the control has two
    // before and after it, and there is a figure where most do.
    for _ in 0..<rounds {
      let before = try control.measure()
      let ours = try waited { photos.two = try two.encode(pixels) }
      let after = try control.measure()
      let base = try waited { photos.one = try one.encode(pixels) }
      controls.append(max(before, after))
      guard max(before, after) < SecondCore.limit else { continue }
      pair.ours.append(ours)
      pair.base.append(base)
    }
    let (count, all) = (pair.ours.values.count, controls.values.count)
    let median = hundredths(controls.median)
    guard count > all / 2 else {
      throw Unavailable(
        description:
          "no second core in \(all - count) of \(all) rounds: TurboJPEG twice at once takes"
          + " \(median) × once")
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "one thread, both by the clock on the wall", limit: 0.65)
    result.notes.append(
      "control: TurboJPEG twice at once takes \(median) × once; \(count) of \(all) rounds had a second core"
    )
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
  static let limit = 1.2

  private let picture: TurboPicture
  private let encoders: (TurboEncoder, TurboEncoder)

  init(_ pixels: PixelBuffer) throws {
    picture = try TurboPicture(pixels)
    encoders = (try TurboEncoder(for: picture), try TurboEncoder(for: picture))
  }

  /// How much longer two pictures at once take than one.
  func measure() throws -> Double {
    let once = try waited { try encoders.0.encode(picture, quality: 85) }
    let twice = try waited {
      try encoders.0.encode(picture, besides: encoders.1, quality: 85)
    }
    return twice / once
  }
}
