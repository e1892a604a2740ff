import Foundation

extension Benchmark {
  /// What recording a frame of a camera's JPEG costs a whole process, beside ffmpeg's copying.
  static let movieMJPEG = Benchmark(name: "movie-mjpeg", usualRounds: 5) { rounds in
    let ffmpeg = try Program.installed("ffmpeg", packages: "ffmpeg")
    let ours = try Program.ours("movie-ours")
    let scene = Scene()
    let device = try FakeDevice(
      sending: .init(
        fourCharacterCode: "MJPG", width: scene.width, height: scene.height,
        bytes: try pictureOfMovies(), rate: 240))
    let file = device.folder.path("movie.mkv")
    let pair = try await Pair.measure(rounds: rounds) {
      try costOfAMovieFrame(device, file) {
        [ours, "record", FakeDevice.path, "\($0)", file, "\(scene.width)", "\(scene.height)"]
      }
    } base: {
      try costOfAMovieFrame(device, file) {
        [
          ffmpeg, "-v", "quiet", "-nostdin", "-f", "v4l2", "-input_format", "mjpeg",
          "-video_size", "\(scene.width)x\(scene.height)", "-i", FakeDevice.path, "-frames:v",
          "\($0)", "-c", "copy", "-f", "matroska", "-y", file,
        ]
      }
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "ffmpeg -f v4l2 -c copy, Matroska", limit: 1)
    try? FileManager.default.removeItem(atPath: file)
    let summary = try Program.output(
      of: ["/usr/bin/env"] + device.environment + [
        ours, "record", FakeDevice.path, "480", file, "\(scene.width)", "\(scene.height)",
      ])
    let figures = summary.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    result.check(
      figures.count == 3 && figures[0] >= 470 && figures[1] == 0,
      "written, dropped, bytes at 240 frames a second: "
        + summary.trimmingCharacters(in: .newlines))
    return result
  }

  /// Long runs less short ones: what starting and stopping cost falls out.
  private static func costOfAMovieFrame(
    _ device: FakeDevice, _ file: String, _ command: (Int) -> [String]
  ) throws -> Double {
    let (few, many) = (120, 720)
    func cost(_ frames: Int) throws -> Double {
      try? FileManager.default.removeItem(atPath: file)
      return try Program.cost(of: command(frames), environment: device.environment).microseconds
    }
    return try (cost(many) - cost(few)) / Double(many - few)
  }

  /// What 300 frames of 1080p JPEG, ten seconds of most cameras, take in memory, beside the frames'
  /// bytes.
  static let moviePreRoll = Benchmark(name: "movie-preroll", usualRounds: 3) { rounds in
    let ours = try Program.ours("movie-ours")
    let picture = try pictureOfMovies()
    let rate = 120
    let scene = Scene()
    let device = try FakeDevice(
      sending: .init(
        fourCharacterCode: "MJPG", width: scene.width, height: scene.height, bytes: picture,
        rate: rate))
    var pair = Pair()
    for _ in 0..<rounds {
      // Three times over, so that memory that is not given back shows.
      let line = try Program.output(
        of: ["/usr/bin/env"] + device.environment + [
          ours, "preroll", FakeDevice.path, "2.5", "\(3 * 300 + 60)", "\(scene.width)",
          "\(scene.height)",
        ])
      guard let bytes = Double(line.trimmingCharacters(in: .newlines)) else {
        throw BenchmarkFailure(description: "movie-ours says \(line)")
      }
      pair.base.append(Double(picture.count * 301) / 1e6)
      pair.ours.append(bytes / 1e6)
    }
    return Measurement(
      pair: pair, unit: "MB", baseName: "the bytes of 300 frames, 10 s at 1080p30", limit: 1.05)
  }

  /// Whether a minute at sixty frames a second comes to the file whole.
  static let movie60 = Benchmark(name: "movie-60", usualRounds: 1) { rounds in
    let ours = try Program.ours("movie-ours")
    let folder = try ScratchFolder()
    let picture = try folder.write(try pictureOfMovies(), to: "frame.jpg")
    let file = FileManager.default.temporaryDirectory
      .appending(path: "movie-60-\(UUID().uuidString).mkv")
    defer { try? FileManager.default.removeItem(at: file) }
    var pair = Pair()
    var lines: [String] = []
    for _ in 0..<rounds {
      try? FileManager.default.removeItem(at: file)
      let line = try Program.output(of: [ours, "steady", picture, "60", "60", file.path])
      let figures = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      guard figures.count == 3 else {
        throw BenchmarkFailure(description: "movie-ours says \(line)")
      }
      pair.ours.append(figures[1] - figures[2])
      pair.base.append(1)
      lines.append(line.trimmingCharacters(in: .newlines))
    }
    var result = Measurement(
      pair: pair, unit: "frames", baseName: "one lost frame of 3600", limit: 0)
    for line in lines {
      // A simulated camera whose own thread does not run in time loses frames as a driver does.
      result.check(
        line.hasSuffix(" 0"), "written, not written, of those lost by the camera itself: \(line)")
    }
    return result
  }

  /// As a camera sends it that has its Huffman tables, so that nobody has to change it.
  private static func pictureOfMovies() throws -> [UInt8] {
    let scene = Scene()
    let encoder = try PlainEncoder(width: scene.width, height: scene.height)
    // The bytes are the encoder's.
    return try withExtendedLifetime(encoder) {
      Array(
        try encoder.encode(
          rgb: scene.rgb, width: scene.width, height: scene.height, quality: 80))
    }
  }
}
