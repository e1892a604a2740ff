import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)), .enabled(if: MoviePrograms.hasFFmpeg))
struct PreRollTests {
  @Test func beginsTheMovieWithWhatWasBefore() async throws {
    let studio = try await MovieStudio()
    studio.movie.preRoll = MoviePreRoll(duration: .seconds(1))
    let diary = RecordingDiary()
    try await studio.session.start()
    await studio.take(60)
    let asked = studio.clock.now

    studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: diary)
    await studio.take(10)
    studio.movie.stopRecording()
    await diary.wait(for: "finish")

    let start = try #require(diary.startTime)
    #expect(abs(start.duration(to: asked) / .seconds(1) - 1) < 0.07)
    let times = try MoviePrograms.packets(of: studio.url("a.mkv")).map(\.time)
    #expect((40...42).contains(times.count))
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 30) < 0.002 })
    #expect(try MoviePrograms.faults(of: studio.url("a.mkv")) == "")
    await studio.session.stop()
  }

  /// What one movie has is not in the next.
  @Test func beginsAnewAfterAMovie() async throws {
    let studio = try await MovieStudio()
    studio.movie.preRoll = MoviePreRoll(duration: .seconds(1))
    try await studio.session.start()
    await studio.take(20)

    let first = try await studio.record(5, to: "1.mkv")
    await studio.take(7)
    let second = try await studio.record(3, to: "2.mkv")

    #expect(first.statistics.writtenFrameCount == 25)
    #expect(second.statistics.writtenFrameCount == 10)
    await studio.session.stop()
  }

  @Test(.enabled(if: CaptureMovieFileOutput().availableVideoCodecTypes.contains(.h264)))
  func beginsWithAKeyFrame() async throws {
    let studio = try await MovieStudio(.yuyv)
    studio.movie.preRoll = MoviePreRoll(duration: .milliseconds(2500))
    try await studio.session.start()
    await studio.take(100)

    let movie = try await studio.record(5, to: "a.mp4")

    let packets = try MoviePrograms.packets(of: movie.url)
    #expect(packets.first?.isKey == true)
    #expect((50...82).contains(packets.count))
    #expect(movie.codec == .h264)
    #expect(try MoviePrograms.faults(of: movie.url) == "")
    await studio.session.stop()
  }

  @Test func keepsNoMoreBytesThanAllowed() async throws {
    let studio = try await MovieStudio()
    studio.movie.preRoll = MoviePreRoll(duration: .seconds(60), byteLimit: 20_000)
    try await studio.session.start()
    await studio.take(60)

    let movie = try await studio.record(1, to: "a.mkv")

    let packets = try MoviePrograms.packets(of: movie.url)
    #expect(packets.dropLast().reduce(0) { $0 + $1.size } <= 20_000)
    #expect((2...20).contains(packets.count))
    await studio.session.stop()
  }

  @Test func goesWithTheSessionsEnd() async throws {
    let studio = try await MovieStudio()
    studio.movie.preRoll = MoviePreRoll(duration: .seconds(10))
    try await studio.session.start()
    await studio.take(20)
    await studio.session.stop()
    try await studio.session.start()
    await studio.take(3)

    let movie = try await studio.record(2, to: "a.mkv")

    #expect(movie.statistics.writtenFrameCount == 5)
    await studio.session.stop()
  }

  @Test func letsTheOutputGo() async throws {
    weak var output: CaptureMovieFileOutput?
    weak var engine: MovieEngine?
    do {
      let studio = try await MovieStudio()
      (output, engine) = (studio.movie, studio.movie.engine)
      studio.movie.preRoll = MoviePreRoll(duration: .seconds(10))
      try await studio.session.start()
      await studio.take(5)
    }
    while output != nil || engine != nil { await Task.yield() }
  }
}
