import CAllocations
import CBaselines
import CaptureKitLinux
import Foundation
import Imaging

extension Benchmark {
  /// A raw 1080p frame in a window of 1280x720.
  static let previewLand = preview(
    "preview-land",
    cb_preview(width: 1920, height: 1080, target_width: 1280, target_height: 720, turned: 0),
    leastQuality: 42)

  /// The same on an upright screen: turned by a quarter, its middle, mirrored, 640x960.
  static let previewPort = preview(
    "preview-port",
    cb_preview(width: 1920, height: 1080, target_width: 640, target_height: 960, turned: 1),
    leastQuality: 41)

  private static func preview(
    _ name: String, _ preview: cb_preview, leastQuality: Double
  ) -> Benchmark {
    Benchmark(name: name, usualRounds: 60) { rounds in
      let scene = Scene(width: Int(preview.width), height: Int(preview.height))
      let yuyv = scene.yuyv()
      let plain = try PlainPreview(preview)
      return try await withLayer(yuyv, preview) { draw in
        let pair = try await Pair.measure(rounds: rounds) {
          try ProcessorClock.thread.cost(repeating: 1) { blackHole(try draw()) }
        } base: {
          try ProcessorClock.thread.cost(repeating: 1) { try plain.draw(yuyv, .convertedFirst) }
        }
        var result = Measurement(
          pair: pair, unit: "µs", baseName: "libyuv: convert, scale, turn with mirror", limit: 1)
        let image = try draw()
        let quality = cb_preview_psnr(preview, bytes(of: image), scene.rgb)
        result.check(
          quality >= leastQuality,
          "\(hundredths(quality)) dB against the scene, at least \(Int(leastQuality))")
        result.notes.append(
          "the base: \(hundredths(cb_preview_psnr(preview, plain.bgra, scene.rgb))) dB")
        try await comparePlanes(&result, plain, yuyv, scene, rounds: rounds)
        try checkMemory(&result, draw)
        return result
      }
    }
  }

  /// Has a running session's layer draw one frame as often as is wished.
  private static func withLayer<Result>(
    _ yuyv: [UInt8], _ preview: cb_preview,
    _ body: (_ draw: () throws -> PreviewImage) async throws -> Result
  ) async throws -> Result {
    let camera = try StillCamera(
      yuyv: yuyv, width: Int(preview.width), height: Int(preview.height))
    let environment = CaptureEnvironment(backends: [camera])
    guard let device = try await environment.devices().first else {
      throw BenchmarkFailure(description: "the benchmark's own camera is not found")
    }
    let session = CaptureSession()
    try session.setSessionPreset(.photo)
    try session.add(CaptureDeviceInput(device: device))
    let layer = CaptureVideoPreviewLayer(session: session)
    layer.videoGravity = .resizeAspectFill
    if preview.turned != 0 {
      layer.connection?.videoRotationAngle = 90
      layer.connection?.isVideoMirrored = true
    }
    try await session.start()
    while !layer.isPreviewing { await Task.yield() }
    let result = try await body {
      let image = try layer.image(
        width: Int(preview.target_width), height: Int(preview.target_height))
      guard let image else { throw BenchmarkFailure(description: "there is no image") }
      return image
    }
    await session.stop()
    return result
  }

  /// Scaling planes first is another order that programs choose; its chroma is coarser.
  private static func comparePlanes(
    _ result: inout Measurement, _ plain: PlainPreview, _ yuyv: [UInt8], _ scene: Scene, rounds: Int
  ) async throws {
    var costs = Samples()
    for _ in 0..<rounds {
      costs.append(
        try ProcessorClock.thread.cost(repeating: 1) { try plain.draw(yuyv, .planesFirst) })
    }
    let quality = cb_preview_psnr(plain.preview, plain.bgra, scene.rgb)
    result.notes.append(
      "libyuv, planes first: \(Int(costs.median)) µs at \(hundredths(quality)) dB;"
        + " ours is \(hundredths(result.pair.ours.median / costs.median)) of it")
  }

  private static func checkMemory(
    _ result: inout Measurement, _ draw: () throws -> PreviewImage
  ) throws {
    let before = cb_allocations_now()
    for _ in 0..<10 { blackHole(try draw()) }
    let bytes = (cb_allocations_now().bytes - before.bytes) / 10
    result.check(bytes < 100_000, "heap bytes an image: \(bytes), a fraction of the image's")
  }

  private static func bytes(of image: PreviewImage) -> [UInt8] {
    image.pixels.bytes(ofPlane: 0).withUnsafeBytes { [UInt8]($0) }
  }
}
