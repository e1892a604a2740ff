import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import CaptureKitMovie

/// What a recording's delegate, closure and async form are told, whatever happens.
@Suite(.timeLimit(.minutes(1)))
struct RecordingContractTests {
  @Test func tellsTheDelegateInOrder() async throws {
    let studio = try await MovieStudio()
    let diary = RecordingDiary()
    try await studio.session.start()

    studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: diary)
    #expect(studio.movie.isRecording)
    await studio.take(5)
    studio.movie.pauseRecording()
    #expect(studio.movie.isRecordingPaused)
    await studio.take(5)
    studio.movie.resumeRecording()
    await studio.take(5)
    studio.movie.stopRecording()
    await diary.wait(for: "finish")

    #expect(diary.entries == ["start", "pause", "resume", "will finish", "finish"])
    #expect(diary.error == nil)
    #expect(diary.connections.map(\.input.device.uniqueID) == [studio.device.uniqueID])
    #expect(studio.movie.statistics.writtenFrameCount == 10)
    #expect(!studio.movie.isRecording && studio.movie.outputFileURL == nil)
    await studio.session.stop()
  }

  /// One that has ended is told so later; the next one to the same file is not its business.
  @Test func aRecordingEndsNoOther() async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()
    let url = studio.url("a.mkv")
    async let started = studio.movie.startRecording(to: url)
    while !studio.movie.isRecording { await Task.yield() }
    await studio.take(2)
    let first = try await started
    let gate = DispatchSemaphore(value: 0)
    studio.movie.engine.tell(.paused) { _ in gate.wait() }
    studio.movie.stopRecording()
    while studio.movie.isRecording { await Task.yield() }
    try FileManager.default.removeItem(at: url)
    let diary = RecordingDiary()
    studio.movie.startRecording(to: url, recordingDelegate: diary)
    await studio.take(1)

    first.end()

    await studio.take(4)
    gate.signal()
    studio.movie.stopRecording()
    await diary.wait(for: "finish")
    #expect(studio.movie.statistics.writtenFrameCount == 5)
    #expect(diary.error == nil)
    await studio.session.stop()
  }

  /// Nobody else would end what began when the session had told all that it knew.
  @Test func endsWhereTheSessionStopsAtThatMoment() async throws {
    let folder = try TemporaryFolder()
    let engine = MovieEngine()
    let (movies, continuation) = AsyncStream<RecordedMovie>.makeStream()
    let stopped = MovieError(.noConnection, "The session has stopped.")

    _ = try engine.begin(
      folder.url.appending(path: "a.mkv"), .matroska, .up, by: ManualClock(),
      whileActive: {
        #expect(engine.state.withLock { $0.machine.isRecording })
        return false
      }, else: stopped
    ) { event in
      guard case .finished(let movie) = event else { return }
      continuation.yield(movie)
    }

    let movie = await movies.first { _ in true }
    #expect(movie?.error == stopped)
    #expect(try folder.names == [])
  }

  @Test func saysWhenTheFirstFrameWasTaken() async throws {
    let studio = try await MovieStudio()
    let diary = RecordingDiary()
    try await studio.session.start()
    await studio.take(3)

    studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: diary)
    await studio.take(1)
    await diary.wait(for: "start")

    let start = try #require(diary.startTime)
    #expect((Duration.zero...(.milliseconds(40))).contains(start.duration(to: studio.clock.now)))
    await studio.session.stop()
    await diary.wait(for: "finish")
  }

  @Test func tellsAClosureOnce() async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()
    let (results, continuation) = AsyncStream<Result<RecordedMovie, any Error>>.makeStream()

    studio.movie.startRecording(to: studio.url("a.mkv")) { result in
      continuation.yield(result)
      continuation.finish()
    }
    await studio.take(4)
    studio.movie.stopRecording()
    var movies: [RecordedMovie] = []
    for await result in results { movies.append(try result.get()) }

    #expect(movies.map(\.statistics.writtenFrameCount) == [4])
    await studio.session.stop()
  }

  @Test func leavesAnExistingFileAlone() async throws {
    let studio = try await MovieStudio()
    let diary = RecordingDiary()
    try studio.folder.write("precious", to: "a.mkv")
    try await studio.session.start()

    studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: diary)
    await diary.wait(for: "finish")

    #expect(diary.entries == ["finish"])
    #expect(diary.error?.code == .fileExists)
    #expect(diary.error?.recordingSucceeded == false)
    #expect(try studio.folder.text(of: "a.mkv") == "precious")
    #expect(studio.movie.lastError?.code == .fileExists)
    await studio.session.stop()
  }

  @Test(arguments: [
    ("a.webm", MovieError.Code.unsupportedContainer), ("noname", .unsupportedContainer),
    ("nowhere/a.mkv", .cannotWrite),
  ])
  func refusesWhatCannotBeRecordedTo(name: String, code: MovieError.Code) async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()

    await #expect {
      _ = try await studio.movie.startRecording(to: studio.url(name))
    } throws: {
      ($0 as? MovieError)?.code == code && "\($0)".contains(name)
    }
    #expect(!studio.movie.isRecording)
    await studio.session.stop()
  }

  @Test func refusesToRecordNoCamera() async throws {
    let studio = try await MovieStudio()

    await #expect {
      _ = try await studio.movie.startRecording(to: studio.url("a.mkv"))
    } throws: {
      ($0 as? MovieError)?.code == .noConnection
    }
    #expect(try studio.folder.names == [])
  }

  @Test func recordsOneMovieAtATime() async throws {
    let studio = try await MovieStudio()
    let (first, second) = (RecordingDiary(), RecordingDiary())
    try await studio.session.start()
    studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: first)
    await studio.take(2)

    studio.movie.startRecording(to: studio.url("b.mkv"), recordingDelegate: second)
    await second.wait(for: "finish")
    #expect(second.error?.code == .alreadyRecording)
    #expect(studio.movie.isRecording)
    studio.movie.stopRecording()
    await first.wait(for: "finish")

    #expect(first.error == nil)
    #expect(try studio.folder.names == ["a.mkv"])
    await studio.session.stop()
  }

  @Test func leavesNoFileWhereNoFrameCame() async throws {
    let studio = try await MovieStudio()
    let diary = RecordingDiary()
    try await studio.session.start()

    studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: diary)
    studio.movie.stopRecording()
    await diary.wait(for: "finish")

    #expect(diary.entries == ["will finish", "finish"])
    #expect(diary.error?.code == .noFrames)
    #expect(try studio.folder.names == [])
    await studio.session.stop()
  }

  @Test func recordsSeveralMoviesOneAfterTheOther() async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()

    for number in 1...3 {
      let movie = try await studio.record(number * 2, to: "\(number).mp4")
      #expect(movie.statistics.writtenFrameCount == UInt64(number * 2))
    }
    #expect(try studio.folder.names == ["1.mp4", "2.mp4", "3.mp4"])
    await studio.session.stop()
  }

  @Test func refusesCallsOutOfPlace() async throws {
    let movie = CaptureMovieFileOutput()

    movie.stopRecording()
    #expect(movie.lastError?.code == .notRecording)
    movie.pauseRecording()
    #expect(movie.lastError?.code == .notRecording)
    movie.settings = MovieSettings(codec: .hevc)
    #expect(movie.lastError?.code == .unsupportedCodec)
    #expect(movie.settings == .automatic)
    #expect(throws: MovieError.self) { try movie.setSettings(MovieSettings(codec: .hevc)) }
  }

  @Test func endsARecordingWhoseTaskIsCancelled() async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()

    let start = Task { try await studio.movie.startRecording(to: studio.url("a.mkv")) }
    while !studio.movie.isRecording { await Task.yield() }
    start.cancel()

    await #expect(throws: CancellationError.self) { _ = try await start.value }
    while studio.movie.isRecording { await Task.yield() }
    #expect(try studio.folder.names == [])
    await studio.session.stop()
  }
}
