import CaptureKitLinux
import CaptureKitMocks
import CaptureKitMovie
import Foundation
import Imaging

/// Records movies, for what that costs.
///
///     movie-ours record DEVICE FRAMES FILE WIDTH HEIGHT   MJPEG, as the camera sends it
///     movie-ours preroll DEVICE SECONDS FRAMES WIDTH HEIGHT
///                            keeps so much while FRAMES come; says by how many bytes memory grew
///     movie-ours steady JPEG RATE SECONDS FILE            in real time; says what was lost
@main
enum MovieOurs {
  static func main() async {
    let words = CommandLine.arguments
    do {
      switch (words.dropFirst().first, words.count) {
      case ("record", 7):
        try await record(
          Int(words[3]) ?? 0, from: words[2], to: words[4],
          VideoDimensions(width: Int(words[5]) ?? 0, height: Int(words[6]) ?? 0))
      case ("preroll", 7):
        try await keep(
          .seconds(Double(words[3]) ?? 0), of: words[2], while: Int(words[4]) ?? 0,
          VideoDimensions(width: Int(words[5]) ?? 0, height: Int(words[6]) ?? 0))
      case ("steady", 6):
        try await run(
          words[2], rate: UInt32(words[3]) ?? 0, seconds: Int(words[4]) ?? 0, to: words[5])
      default: exit(64)
      }
    } catch {
      FileHandle.standardError.write(Data("movie-ours: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func record(
    _ count: Int, from path: String, to file: String, _ dimensions: VideoDimensions
  ) async throws {
    let camera = try open(path, dimensions)
    let session = CaptureSession()
    let movie = CaptureMovieFileOutput()
    let counter = FrameCounter(wanted: count)
    try session.add(CaptureDeviceInput(device: camera))
    try session.add(movie)
    try session.add(counter)
    try await session.start()
    let recording = try await movie.startRecording(to: URL(filePath: file))
    for await _ in counter.finished {}
    let recorded = try await recording.stop()
    await session.stop()
    print(
      "\(recorded.statistics.writtenFrameCount) \(recorded.statistics.droppedFrameCount)"
        + " \(recorded.byteCount)")
  }

  private static func open(
    _ path: String, _ dimensions: VideoDimensions
  ) throws -> CaptureDevice {
    let camera = try CaptureDevice(path: path)
    let format = try camera.loadFormats().lazy.filter { $0.pixelFormat.isJPEG }
      .compactMap { $0.narrowed(to: dimensions) }.first
    try camera.lockForConfiguration()
    try camera.setActiveFormat(format)
    camera.unlockForConfiguration()
    return camera
  }

  private static func keep(
    _ duration: Duration, of path: String, while count: Int, _ dimensions: VideoDimensions
  ) async throws {
    let camera = try open(path, dimensions)
    let session = CaptureSession()
    let movie = CaptureMovieFileOutput()
    let (first, all) = (FrameCounter(wanted: 60), FrameCounter(wanted: count))
    try session.add(CaptureDeviceInput(device: camera))
    try session.add(movie)
    try session.add(first)
    try session.add(all)
    // The writer's own memory is there before it is looked at.
    movie.preRoll = MoviePreRoll(duration: .zero)
    try await session.start()
    for await _ in first.finished {}
    let before = privateKilobytes()
    movie.preRoll = MoviePreRoll(duration: duration, byteLimit: 1 << 30)
    for await _ in all.finished {}
    print((privateKilobytes() - before) * 1024)
    await session.stop()
  }

  private static func run(
    _ jpeg: String, rate: UInt32, seconds: Int, to file: String
  ) async throws {
    let session = CaptureSession()
    let movie = CaptureMovieFileOutput()
    let counter = FrameCounter(wanted: Int(rate) * seconds)
    let picture = try Data(contentsOf: URL(filePath: jpeg))
    try await connect(session, [movie, counter], jpeg: picture, rate: rate)
    try await session.start()
    let recording = try await movie.startRecording(to: URL(filePath: file))
    for await _ in counter.finished {}
    let recorded = try await recording.stop()
    let lost = session.statistics.lost
    await session.stop()
    print(
      "\(recorded.statistics.writtenFrameCount) \(recorded.statistics.droppedFrameCount) \(lost)")
  }

  private static func connect(
    _ session: CaptureSession, _ outputs: [any CaptureOutput], jpeg: Data, rate: UInt32
  ) async throws {
    let camera = MockCamera(frames: .jpegData([jpeg], framesPerSecond: rate))
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    guard let device = try await environment.devices().first else { throw CaptureError.noDevice }
    try device.lockForConfiguration()
    try device.setActiveFormat(device.loadFormats().first)
    device.unlockForConfiguration()
    try session.add(CaptureDeviceInput(device: device))
    for output in outputs { try session.add(output) }
  }

  /// The kernel's sum of what no other process shares.
  private static func privateKilobytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("Private_") }.reduce(0) { sum, line in
      sum + (line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0)
    }
  }
}
