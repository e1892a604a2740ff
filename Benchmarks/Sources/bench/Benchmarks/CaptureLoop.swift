import Foundation

extension Benchmark {
  /// What receiving a frame costs a whole process, beside the shortest C loop that can do it.
  static let captureLoop = Benchmark(name: "capture-loop", usualRounds: 7) { rounds in
    let scene = Scene()
    let device = try FakeDevice(
      sending: .init(
        fourCharacterCode: "YUYV", width: scene.width, height: scene.height, bytes: scene.yuyv(),
        rate: 0))
    let ours = try Program.ours("capture-loop-ours")
    let base = try Program.ours("capture-loop-c")
    var plainLoop = Samples()
    let pair = try await Pair.measure(rounds: rounds) {
      try costOfAFrame(ours, device)
    } base: {
      let cost = try costOfAFrame(base, device)
      plainLoop.append(cost)
      return cost + allowance
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "C poll/DQBUF/QBUF loop + \(Int(allowance)) µs", limit: 1)
    let loop = plainLoop.median
    result.notes.append(
      "the C loop alone: \(hundredths(loop)) µs; ours takes \(hundredths(pair.ours.median - loop)) µs"
        + " more (1080p YUYV, every frame ready at once)")
    let summary = try Program.output(
      of: ["/usr/bin/env"] + device.environment + [ours, FakeDevice.path, "4000"])
    let figures = summary.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    result.check(
      figures.count == 3 && figures[1] <= 2.05 && figures[2] <= 512,
      "two small heap blocks a frame, its lease and what is made of it: \(summary.trimmingCharacters(in: .newlines))"
    )
    return result
  }

  private static let allowance = 5.0

  /// Long runs less short ones: what starting and stopping cost falls out.
  private static func costOfAFrame(_ program: String, _ device: FakeDevice) throws -> Double {
    let (few, many) = (2_000, 22_000)
    func cost(_ frames: Int) throws -> Double {
      try Program.cost(
        of: [program, FakeDevice.path, String(frames)], environment: device.environment
      ).microseconds
    }
    return try (cost(many) - cost(few)) / Double(many - few)
  }
}
