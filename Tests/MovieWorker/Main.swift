import CaptureKitLinux
import CaptureKitMocks
import CaptureKitMovie
import Foundation
import Imaging
import Synchronization
import TestSupport

/// What the tests run as a process of its own, to kill it, and where a disk is small.
///
///     movie-worker record FILE FRAMES CODEC [SECONDS]
///
///     movie-worker pause FILE
///
/// FRAMES is a pixel format, `MJPG` or `YUYV`, or a file of H.264; CODEC `jpeg`, `h264` or
/// `automatic`. Records in real time, until it is killed or for so long; prints `frame TIME` for
/// each frame that the camera sends, in seconds since the first one, and in the end why the
/// recording was over, and whether its file can be played. `pause` pauses after a few frames and
/// prints what the delegate was told.
@main
enum Main {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count >= 3, words[1] == "pause" || words.count >= 5 else { exit(64) }
    do {
      if words[1] == "pause" { return try await pause(URL(filePath: words[2])) }
      try await record(
        to: URL(filePath: words[2]), camera(words[3]), codec(words[4]),
        seconds: words.count > 5 ? Double(words[5]) ?? 0 : 600)
    } catch {
      print("\(error)")
      exit(2)
    }
  }

  private static func codec(_ word: String) -> MovieSettings {
    switch word {
    case "jpeg": MovieSettings(codec: .jpeg)
    case "h264": MovieSettings(codec: .h264)
    default: .automatic
    }
  }

  private static func camera(_ word: String) throws -> MockCamera {
    if let format = PixelFormat(fourCharacterCode: word) {
      return MockCamera(frames: .testPattern(format, width: 320, height: 240))
    }
    let frames = try H264Stream(contentsOf: URL(filePath: word)).frames
    let format = CaptureDevice.Format(
      .h264, dimensions: VideoDimensions(width: 160, height: 120),
      frameDurations: [.thirtieth ... .thirtieth])
    return MockCamera(
      frames: .generated([format]) { request in
        CapturedFrame(
          compressed: frames[Int(request.sequence) % frames.count], as: .h264,
          dimensions: request.format.dimensions, sequence: request.sequence,
          timestamp: request.timestamp, duration: request.format.frameDuration)
      })
  }

  private static func start(
    _ camera: MockCamera, _ outputs: [any CaptureOutput]
  ) async throws -> CaptureSession {
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    guard let device = try await environment.devices().first else { throw CaptureError.noDevice }
    try device.lockForConfiguration()
    device.activeFormat = device.formats.first
    device.unlockForConfiguration()
    let session = CaptureSession()
    try session.add(try CaptureDeviceInput(device: device))
    for output in outputs { try session.add(output) }
    try await session.start()
    return session
  }

  private static func pause(_ url: URL) async throws {
    let movie = CaptureMovieFileOutput()
    let diary = Diary()
    let session = try await start(camera("MJPG"), [movie, diary])
    movie.startRecording(to: url, recordingDelegate: diary)
    for await _ in diary.frames.prefix(3) {}
    movie.pauseRecording()
    for await _ in diary.ends.prefix(1) {}
    // What is told of this one comes after all that is told of the one before.
    movie.startRecording(to: url.appendingPathExtension("mkv"), recordingDelegate: diary)
    movie.stopRecording()
    for await _ in diary.ends.prefix(1) {}
    print(diary.entries.withLock { $0.joined(separator: ", ") })
    await session.stop()
  }

  private static func record(
    to url: URL, _ camera: MockCamera, _ settings: MovieSettings, seconds: Double
  ) async throws {
    let movie = CaptureMovieFileOutput()
    movie.settings = settings
    let session = try await start(camera, [movie, Reporter(movie)])
    defer { withExtendedLifetime(session) {} }
    let recording = try await movie.startRecording(to: url)
    let limit = Task {
      try await Task.sleep(for: .seconds(seconds))
      _ = try await recording.stop()
    }
    let recorded = try await recording.finished
    limit.cancel()
    let end = recorded.error?.code.description ?? "stopped"
    print("\(end) \(recorded.error?.recordingSucceeded ?? true) \(recorded.statistics)")
  }
}

/// Says when frames come that belong to the movie.
final class Reporter: CaptureOutput {
  private let movie: CaptureMovieFileOutput
  private let start = Mutex<HostTime?>(nil)

  init(_ movie: CaptureMovieFileOutput) { self.movie = movie }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    guard movie.isRecording else { return }
    let start = start.withLock { start in
      start = start ?? frame.presentationTime
      return start
    }
    let time = start.map { $0.duration(to: frame.presentationTime) / .seconds(1) } ?? 0
    FileHandle.standardOutput.write(Data("frame \(time)\n".utf8))
  }
}

/// Counts frames, and writes down what it is told of one movie.
final class Diary: CaptureOutput, CaptureFileOutputRecordingDelegate {
  let entries = Mutex<[String]>([])
  let frames: AsyncStream<Void>
  let ends: AsyncStream<Void>
  private let frame: AsyncStream<Void>.Continuation
  private let end: AsyncStream<Void>.Continuation

  init() {
    (frames, frame) = AsyncStream<Void>.makeStream()
    (ends, end) = AsyncStream<Void>.makeStream()
  }

  private func note(_ entry: String, _ url: URL) {
    entries.withLock { $0.append("\(entry) \(url.pathExtension)") }
  }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    self.frame.yield()
  }

  func fileOutput(
    _ output: CaptureMovieFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) { note("start", fileURL) }

  func fileOutput(
    _ output: CaptureMovieFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) { note("pause", fileURL) }

  func fileOutput(
    _ output: CaptureMovieFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {
    note("finish", outputFileURL)
    end.yield()
  }
}
