import CaptureKitLinux
import CaptureKitMovie
import ExampleSupport
import Foundation

/// `snap movie`: records a movie.
enum MovieCommand {
  static let help = """
    Usage: snap movie [OPTION]…

    Records until Ctrl-C, and says how it goes once a second: the movie's time and size, frames
    a second, and frames that are not in it. What the camera compresses is recorded as it is.
    The movie can be played whatever ends it.

      -o FILE              a new file that ends in .mkv, .mp4, .mov or .avi; without it
                           snap-DATE-TIME.mkv
      --duration SECONDS   ends when the movie is so long
      --max-size MEGABYTES ends before the file is larger
      --preroll SECONDS    waits so long first, and begins the movie with what came meanwhile
      --codec CODEC        jpeg or h264; without it as the camera sends it
      --quality NUMBER     0 to 1, for frames that have to be encoded
      --size WIDTHxHEIGHT  one of the sizes of `snap formats`
      --format FORMAT      a four-character code of `snap formats`, or mjpeg
      --quiet              the last line alone
      --camera ID          an id of `snap devices`, or any node's path
      --simulated          the simulated camera instead of a real one
      --require-camera     fails where there is no camera, instead of simulating one
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(arguments, flags: MovieOptions.flags, valued: MovieOptions.valued)
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let wish = try MovieOptions(options)
    let camera = try await CameraWish(options).camera()
    let movie = CaptureMovieFileOutput()
    let session = try session(with: camera, into: movie, wish)
    // Before anything is recorded: Ctrl-C never leaves half a file.
    let stop = StopRequest()
    let stops = StopSignals { stop.tell() }
    defer { withExtendedLifetime(stops) {} }

    try await session.start()
    let recorded: RecordedMovie
    do {
      if let seconds = wish.preRoll { await stop.wait(seconds: seconds) }
      recorded = try await record(movie, wish, stop)
    } catch {
      await session.stop()
      throw error
    }
    await session.stop()
    try printLine("\(recorded.url.relativePath): \(summary(of: recorded))")
    if let error = recorded.error, !Self.isLimit(error) { throw error }
  }

  private static func session(
    with camera: CaptureDevice, into movie: CaptureMovieFileOutput, _ wish: MovieOptions
  ) throws -> CaptureSession {
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: camera))
    try movie.setSettings(wish.settings)
    movie.maxRecordedDuration = wish.duration.map { .seconds($0) }
    movie.maxRecordedFileSize = wish.byteCount
    movie.preRoll = wish.preRoll.map { MoviePreRoll(duration: .seconds($0)) }
    try session.add(movie)
    try wish.format.apply(to: camera)
    return session
  }

  private static func record(
    _ movie: CaptureMovieFileOutput, _ wish: MovieOptions, _ stop: StopRequest
  ) async throws -> RecordedMovie {
    let stopping = Task {
      await stop.wait()
      // It may be told before there is a recording.
      while !Task.isCancelled {
        movie.stopRecording()
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    let progress = wish.isQuiet ? nil : Task { await show(movie) }
    let result: Result<RecordedMovie, any Error>
    do {
      result = .success(try await start(movie, wish.urls).finished)
    } catch {
      result = .failure(error)
    }
    stopping.cancel()
    progress?.cancel()
    await progress?.value
    return try result.get()
  }

  /// Starts a recording to the first file that is free.
  private static func start(
    _ movie: CaptureMovieFileOutput, _ urls: [URL]
  ) async throws -> MovieRecording {
    for url in urls.dropLast() {
      do {
        return try await movie.startRecording(to: url)
      } catch let error as MovieError where error.code == .fileExists {
        continue
      }
    }
    guard let last = urls.last else { throw Failure(.usage, "Name a file with -o.") }
    return try await movie.startRecording(to: last)
  }

  /// Says once a second how it goes.
  private static func show(_ movie: CaptureMovieFileOutput) async {
    let line = StatusLine()
    defer { line.finish() }
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      // The movie goes on where nobody sees how it goes.
      try? line.show(figures(of: movie.statistics))
    }
  }

  /// Whether the movie ended as it was asked for.
  private static func isLimit(_ error: MovieError) -> Bool {
    error.code == .maximumDurationReached || error.code == .maximumFileSizeReached
  }

  private static func summary(of movie: RecordedMovie) -> String {
    let statistics = movie.statistics
    let encoder = statistics.encoder.map { ", by \($0)" } ?? ""
    return
      "\(statistics.writtenFrameCount) frames, \(figures(of: statistics))"
      + "  \(statistics.codec?.rawValue ?? "nothing")\(encoder)"
  }

  /// The movie's time and size, its rate, and what is not in it.
  private static func figures(of statistics: MovieStatistics) -> String {
    let seconds = statistics.duration / .seconds(1)
    let rate = seconds > 0 ? Double(statistics.writtenFrameCount) / seconds : 0
    let megabytes = Double(statistics.byteCount) / 1e6
    let whole = Int(seconds)
    let time = String(
      format: "%d:%02d:%02d.%d", whole / 3600, whole / 60 % 60, whole % 60,
      Int(seconds * 10) % 10)
    return
      "\(time)  \(String(format: "%.1f", megabytes)) MB  "
      + "\(String(format: "%.2f", rate)) fps  \(dropped(statistics))"
  }

  /// `0 dropped`, or `3 dropped (2 late, 1 corrupt)`.
  private static func dropped(_ statistics: MovieStatistics) -> String {
    let reasons = statistics.droppedFrameCounts
      .sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }
      .map { "\($0.value) \($0.key)" }
    let total = statistics.droppedFrameCount
    return total == 0 ? "0 dropped" : "\(total) dropped (\(reasons.joined(separator: ", ")))"
  }
}
