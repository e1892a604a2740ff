extension Benchmark {
  /// How long a session takes to stop, beside the five milliseconds that nobody notices.
  static let stopLatency = Benchmark(name: "stop-latency", usualRounds: 7) { rounds in
    let scene = Scene()
    let device = try FakeDevice(
      sending: .init(
        fourCharacterCode: "YUYV", width: scene.width, height: scene.height, bytes: scene.yuyv(),
        rate: 30))
    let ours = try Program.ours("stop-latency-ours")
    var worst = Samples()
    let pair = try await Pair.measure(rounds: rounds) {
      let lines = try Program.output(
        of: ["/usr/bin/env"] + device.environment + [ours, FakeDevice.path, "15"])
      let stops = Samples(lines.split(separator: "\n").compactMap { Double($0) }.map { $0 / 1000 })
      worst.append(stops.percentile(100))
      return stops.median
    } base: {
      5
    }
    var result = Measurement(pair: pair, unit: "ms", baseName: "five milliseconds", limit: 1)
    result.notes.append(
      "the longest of 15 stops, median of the rounds: \(hundredths(worst.median)) ms")
    return result
  }
}
