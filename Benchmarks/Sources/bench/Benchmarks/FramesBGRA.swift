import CBaselines
import CaptureKitLinux
import Foundation
import Imaging

extension Benchmark {
  /// Packed 4:2:2 of a webcam, delivered as BGRA, beside libyuv called from C.
  static let framesYUYV = Benchmark(name: "frames-bgra-yuyv", usualRounds: 150) { rounds in
    let scene = Scene()
    return try await framesBGRA(
      try (raw(scene, .yuyv, scene.yuyv()), raw(smallScene, .yuyv, smallScene.yuyv())),
      rounds: rounds, baseName: "libyuv from C, ready buffer"
    ) { bytes, target in
      cb_yuyv_to_bgra(bytes, target, Int32(scene.width), Int32(scene.height)) == 0
    }
  }

  /// Semi-planar 4:2:0, delivered as BGRA, beside libyuv called from C.
  static let framesNV12 = Benchmark(name: "frames-bgra-nv12", usualRounds: 150) { rounds in
    let scene = Scene()
    return try await framesBGRA(
      try (raw(scene, .nv12, nv12(scene)), raw(smallScene, .nv12, nv12(smallScene))),
      rounds: rounds, baseName: "libyuv from C, ready buffer"
    ) { bytes, target in
      cb_nv12_to_bgra(bytes, target, Int32(scene.width), Int32(scene.height)) == 0
    }
  }

  /// A webcam's JPEG, delivered as BGRA, beside TurboJPEG called from C.
  static let framesMJPEG = Benchmark(name: "frames-bgra-mjpeg", usualRounds: 25) { rounds in
    let scene = Scene()
    let frames = try (jpeg(scene), jpeg(smallScene))
    guard let decoder = cb_decoder_create() else {
      throw BenchmarkFailure(description: "TurboJPEG gives no decompressor")
    }
    defer { cb_decoder_destroy(decoder) }
    var result = try await framesBGRA(
      frames, rounds: rounds, baseName: "TurboJPEG from C, ready buffer"
    ) { bytes, target in
      cb_jpeg_to_bgra(
        decoder, bytes, bytes.count, target, Int32(scene.width), Int32(scene.height)) == 0
    }
    try await checkSharing(frames.0, rounds: rounds, &result)
    return result
  }

  /// Three outputs that want the same cost one decode.
  private static func checkSharing(
    _ frame: ReadyFrame, rounds: Int, _ result: inout Measurement
  ) async throws {
    let one = try await FramesToBGRA([frame])
    let three = try await FramesToBGRA([frame], consumers: 3)
    var isShared = true
    let pair = try await Pair.measure(rounds: rounds) {
      let cost = ProcessorClock.process.cost(repeating: 2) { three.step() }
      isShared = isShared && three.places == 1
      return cost
    } base: {
      ProcessorClock.process.cost(repeating: 2) { one.step() }
    }
    await one.stop()
    await three.stop()
    result.check(
      isShared && pair.ratios.median < 1.25,
      "three consumers, one decode: \(hundredths(pair.ratios.median)) × the cost of one consumer")
  }
}

// MARK: - What they have in common

extension Benchmark {
  private static let smallScene = Scene(width: 640, height: 480)

  /// One frame each in turn: a camera's frames are too far apart for the last one to be in the cache still.
  private static func framesBGRA(
    _ frames: (large: ReadyFrame, small: ReadyFrame), rounds: Int, baseName: String,
    base: (_ bytes: [UInt8], _ target: UnsafeMutablePointer<UInt8>) -> Bool
  ) async throws -> Measurement {
    let ours = try await FramesToBGRA([frames.large])
    let size = frames.large.dimensions
    var target = [UInt8](repeating: 0, count: size.width * size.height * 4)
    let bytes = frames.large.bytes
    var isSound = true
    let pair = try await Pair.measure(rounds: rounds) {
      ProcessorClock.process.cost(repeating: 1) { ours.step() }
    } base: {
      ProcessorClock.process.cost(repeating: 1) {
        isSound =
          target.withUnsafeMutableBufferPointer { target in
            target.baseAddress.map { base(bytes, $0) } ?? false
          } && isSound
      }
    }
    var result = Measurement(pair: pair, unit: "µs", baseName: baseName, limit: 1.1)
    let delivered = await ours.pixels()
    let heap = ours.heapBytes()
    await ours.stop()
    let small = try await FramesToBGRA([frames.small])
    let smallHeap = small.heapBytes()
    await small.stop()
    result.check(isSound, "the base has worked")
    let difference = largestDifference(delivered, target)
    result.check(difference <= 2, "no channel is further than \(difference) from the base's")
    result.check(
      heap < Double(target.count) / 100,
      "heap bytes a frame: \(Int(heap)), at 640x480 \(Int(smallHeap)); its pixels: \(target.count)")
    return result
  }

  private static func largestDifference(_ one: [UInt8], _ other: [UInt8]) -> Int {
    guard one.count == other.count else { return 255 }
    return zip(one, other).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  private static func raw(
    _ scene: Scene, _ format: PixelFormat, _ bytes: [UInt8]
  ) throws -> ReadyFrame {
    guard let layout = PixelLayout(format: format, width: scene.width, height: scene.height) else {
      throw BenchmarkFailure(description: "the scene is no picture")
    }
    return .raw(bytes, layout)
  }

  private static func nv12(_ scene: Scene) throws -> [UInt8] {
    guard case .raw(let bytes, let layout) = try raw(scene, .yuyv, scene.yuyv()),
      let pixels = PixelBuffer(layout: layout, color: .bt601Limited, bytes: bytes)
    else { throw BenchmarkFailure(description: "the scene is no picture") }
    let converted = try pixels.converted(to: .nv12)
    return (0..<2).flatMap { plane in
      converted.bytes(ofPlane: plane).withUnsafeBytes { Array($0) }
    }
  }

  private static func jpeg(_ scene: Scene) throws -> ReadyFrame {
    .jpeg(
      Data(try scene.mjpeg().frame),
      VideoDimensions(width: scene.width, height: scene.height))
  }
}
