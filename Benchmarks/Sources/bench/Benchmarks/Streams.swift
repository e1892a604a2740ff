import Foundation

extension Benchmark {
  static let stream1 = stream(to: 1)
  static let stream5 = stream(to: 5)
  static let stream20 = stream(to: 20)

  /// What a camera's frame costs `lootlogger`, all of the process, beside uStreamer on the same
  /// device with as many clients.
  private static func stream(to clients: Int) -> Benchmark {
    Benchmark(name: "stream-\(clients)", usualRounds: 3) { rounds in
      let ustreamer = try Program.installed("ustreamer", packages: "ustreamer")
      let lootlogger = try Program.example("lootlogger")
      let device = try FakeDevice(
        sending: .init(
          fourCharacterCode: "MJPG", width: 1280, height: 720,
          bytes: Scene(width: 1280, height: 720).mjpeg().frame, rate: 30))
      let data = try ScratchFolder()
      var fewest = Samples()
      let pair = try await Pair.measure(rounds: rounds) {
        let server = try RunningProgram(
          [
            lootlogger, "--camera", FakeDevice.path, "--port", "\(Self.port)", "--data",
            data.path("data"),
          ], environment: device.environment)
        return try costOfAFrame(of: server, "/camera.mjpg", clients, &fewest)
      } base: {
        let server = try RunningProgram(
          [
            ustreamer, "--device", FakeDevice.path, "--format", "MJPEG", "--encoder", "HW",
            "--resolution", "1280x720", "--port", "\(Self.port)",
          ], environment: device.environment)
        return try costOfAFrame(of: server, "/stream", clients, &fewest)
      }
      var result = Measurement(
        pair: pair, unit: "µs", baseName: "uStreamer 4.9, MJPEG passed through", limit: 1)
      result.check(
        fewest.percentile(0) >= 0.9 * seconds * 30,
        "each client has got the frames: \(Int(fewest.percentile(0))) in \(Int(seconds)) s at least"
      )
      return result
    }
  }

  private static let port = 18_473
  private static let seconds = 5.0

  /// Processor time for one frame of the camera, however many clients get it.
  private static func costOfAFrame(
    of server: RunningProgram, _ path: String, _ clients: Int, _ fewest: inout Samples
  ) throws -> Double {
    // Until it listens.
    Thread.sleep(forTimeInterval: 1)
    let line = try Program.output(
      of: [
        try Program.ours("stream-cost"), "\(server.identifier)", "\(port)", path, "\(clients)",
        "\(seconds)",
      ])
    let figures = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard figures.count == 3, figures[1] > 0 else {
      throw BenchmarkFailure(description: "stream-cost says \(line)")
    }
    fewest.append(figures[2])
    return figures[0] * Double(clients) / figures[1]
  }
}

extension Program {
  /// A program of the package `Examples`, built for use.
  ///
  /// - Throws: `Unavailable`, which says how to build it.
  static func example(_ name: String) throws -> String {
    let named = ProcessInfo.processInfo.environment["BENCH_\(name.uppercased())"]
    let path =
      named
      ?? URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Examples/.build/release/\(name)").standardized.path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Unavailable(
        description:
          "\(name) is not built; Scripts/build -c release --package-path Examples --product \(name)"
      )
    }
    return path
  }
}
