import CaptureKitLinux
import CaptureKitMocks
import Imaging

extension Benchmark {
  /// Finding eight cameras and all that they offer.
  static let discovery = Benchmark(name: "discovery", usualRounds: 100) { rounds in
    let backend = MockBackend(cameras: (0..<8).map { _ in MockCamera(formats: formats) })
    var pair = Pair()
    for _ in 0..<rounds {
      // Another environment has other objects, and knows nothing of the rounds before.
      let environment = CaptureEnvironment(backends: [backend])
      let start = ContinuousClock.now
      let found = try environment.run {
        try CaptureDevice.DiscoverySession(
          deviceTypes: [.external], mediaType: .video, position: .unspecified
        ).devices.map { try $0.loadFormats().count }
      }
      pair.ours.append(start.duration(to: .now) / .milliseconds(1))
      pair.base.append(budget)
      guard found == Array(repeating: formats.count, count: 8) else {
        throw BenchmarkFailure(description: "not all cameras and formats were found: \(found)")
      }
    }
    return Measurement(
      pair: pair, unit: "ms",
      baseName: "a budget of \(Int(budget)) ms for 8 cameras with 100 formats each", limit: 1)
  }

  private static let budget = 20.0

  private static let formats: [CaptureDevice.Format] =
    [PixelFormat.yuyv, .mjpeg, .nv12, .grey].flatMap { format in
      (1...25).map { step in
        CaptureDevice.Format(
          format, dimensions: VideoDimensions(width: 64 * step, height: 48 * step),
          frameDurations: [.thirtieth...(.thirtieth)])
      }
    }
}
