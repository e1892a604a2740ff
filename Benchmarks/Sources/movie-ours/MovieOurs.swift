import CaptureKitLinux
import CaptureKitMocks
import CaptureKitMovie
import Foundation
import Imaging

/// Records movies, for what that costs.
///
///     movie-ours record DEVICE FRAMES FILE WIDTH HEIGHT   MJPEG, as the camera sends it
///     movie-ours preroll JPEG SECONDS                     keeps so much; says what memory that took
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
      case ("preroll", 4): try await keep(words[2], seconds: Int(words[3]) ?? 0)
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
    let camera = try CaptureDevice(path: path)
    let format = try camera.loadFormats().lazy.filter { $0.pixelFormat.isJPEG }
      .compactMap { $0.narrowed(to: dimensions) }.first
    try camera.lockForConfiguration()
    try camera.setActiveFormat(format)
    camera.unlockForConfiguration()
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

  /// Prints the frames' bytes, what private memory has grown by, and how many frames there are.
  private static func keep(_ jpeg: String, seconds: Int) async throws {
    let clock = ManualClock()
    let session = CaptureSession()
    let movie = CaptureMovieFileOutput()
    let counter = FrameCounter(wanted: .max)
    let picture = try Data(contentsOf: URL(filePath: jpeg))
    try await connect(session, [movie, counter], jpeg: picture, rate: 30, clock: clock)
    try await session.start()
    try await advance(clock, frames: 30)
    let before = privateKilobytes()
    movie.preRoll = MoviePreRoll(duration: .seconds(seconds), byteLimit: 1 << 30)
    // Three times over, so that what was let go of shows.
    try await advance(clock, frames: 3 * 30 * seconds)
    try await Task.sleep(for: .milliseconds(300))
    let after = privateKilobytes()
    let frames = 30 * seconds + 1
    print("\(picture.count * frames) \((after - before) * 1024) \(frames)")
    await session.stop()
  }

  private static func advance(_ clock: ManualClock, frames: Int) async throws {
    for _ in 0..<frames {
      await clock.waitForWork()
      clock.advance(by: .nanoseconds(33_333_334))
    }
  }

  private static func run(
    _ jpeg: String, rate: UInt32, seconds: Int, to file: String
  ) async throws {
    let session = CaptureSession()
    let movie = CaptureMovieFileOutput()
    let counter = FrameCounter(wanted: Int(rate) * seconds)
    let picture = try Data(contentsOf: URL(filePath: jpeg))
    try await connect(session, [movie, counter], jpeg: picture, rate: rate, clock: nil)
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
    _ session: CaptureSession, _ outputs: [any CaptureOutput], jpeg: Data, rate: UInt32,
    clock: ManualClock?
  ) async throws {
    let camera = MockCamera(frames: .jpegData([jpeg], framesPerSecond: rate))
    let backend =
      clock.map { MockBackend(cameras: [camera], clock: $0) } ?? MockBackend(cameras: [camera])
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
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
