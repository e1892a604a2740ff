import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import CaptureKitMovie

/// Movies' times against the camera's stamps, as ffprobe reads them.
@Suite(.timeLimit(.minutes(1)), .enabled(if: MoviePrograms.hasFFmpeg))
struct MovieTimesTests {
  /// Keeps the stamps of the frames that an output gets.
  private final class StampDiary: CaptureOutput {
    let stamps = Mutex<[HostTime]>([])

    func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
      stamps.withLock { $0.append(frame.timestamp.time) }
    }
  }

  /// How far a container's times may be from the camera's, in seconds.
  private static func tolerance(_ container: MovieContainer) -> Double {
    switch container {
    case .matroska: 0.0006
    case .avi: 0.02
    default: 0.00001
    }
  }

  @Test(arguments: MovieContainer.all)
  func areThoseOfTheCamera(container: MovieContainer) async throws {
    let studio = try await MovieStudio(
      MockCamera(frames: .testPattern(.mjpeg, width: 96, height: 64)))
    studio.camera.script = [.dropFrame(at: 7), .stall(afterFrame: 10, for: .milliseconds(700))]
    let diary = StampDiary()
    try studio.session.add(diary)
    try await studio.session.start()

    let movie = try await studio.record(to: "a.\(container)") { await studio.pass(.seconds(2)) }

    let stamps = diary.stamps.withLock { $0.prefix(Int(movie.statistics.writtenFrameCount)) }
    let expected = stamps.map { stamps[0].duration(to: $0) / .seconds(1) }
    let times = try MoviePrograms.packets(of: movie.url).map(\.time)
    #expect(times.count == expected.count)
    #expect(
      zip(times, expected).allSatisfy { abs($0 - $1) <= Self.tolerance(container) },
      "\(zip(times, expected).map { $0 - $1 })")
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(times, times.dropFirst()).contains { $1 - $0 > 0.6 })
    #expect(movie.statistics.droppedFrameCounts == [.lost: 1])
    #expect(movie.startTime == stamps[0])
    await studio.session.stop()
  }

  @Test(arguments: MovieContainer.all)
  func leaveAPauseOut(container: MovieContainer) async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()
    let url = studio.url("a.\(container)")
    let diary = RecordingDiary()
    studio.movie.startRecording(to: url, recordingDelegate: diary)

    await studio.take(10)
    studio.movie.pauseRecording()
    await studio.take(60)
    studio.movie.resumeRecording()
    await studio.take(10)
    studio.movie.stopRecording()
    await diary.wait(for: "finish")

    let times = try MoviePrograms.packets(of: url).map(\.time)
    #expect(times.count == 20)
    #expect(zip(times, times.dropFirst()).allSatisfy { 0.02...0.05 ~= $1 - $0 })
    #expect(abs(studio.movie.recordedDuration / .seconds(1) - 20.0 / 30) < 0.01)
    await studio.session.stop()
  }

  /// AVI has one rate: of a camera that sends twice as many as it says, half are left out.
  @Test func ofAVIDoNotLagBehind() async throws {
    let duration = try #require(FrameDuration.framesPerSecond(60))
    let format = CaptureDevice.Format(
      .mjpeg, dimensions: VideoDimensions(width: 64, height: 48),
      frameDurations: [duration...duration])
    let layout = try #require(PixelLayout(format: .grey, width: 64, height: 48))
    let grey = try #require(
      PixelBuffer(layout: layout, bytes: [UInt8](repeating: 99, count: 64 * 48)))
    let picture = try JPEGEncoder().encode(grey)
    let studio = try await MovieStudio(
      MockCamera(
        frames: .generated([format]) { request in
          CapturedFrame(
            jpeg: picture, dimensions: request.format.dimensions, sequence: request.sequence,
            timestamp: request.timestamp, duration: .thirtieth)
        }))
    try await studio.session.start()

    let movie = try await studio.record(60, to: "a.avi", rate: 60)

    #expect((28...34).contains(movie.statistics.writtenFrameCount))
    #expect(abs(movie.duration / .seconds(1) - 1) < 0.1)
    #expect(movie.statistics.droppedFrameCounts[.late].map { (26...32).contains($0) } == true)
    await studio.session.stop()
  }

  /// A camera that sends fewer frames in the dark than it says.
  @Test func growWithTheRateThatIs() async throws {
    let studio = try await MovieStudio()
    studio.camera.script = (0..<20).map { .dropFrame(at: 2 * $0 + 1) }
    try await studio.session.start()

    let movie = try await studio.record(to: "a.mkv") { await studio.pass(.milliseconds(1300)) }

    let times = try MoviePrograms.packets(of: movie.url).map(\.time)
    #expect(times.count == Int(movie.statistics.writtenFrameCount))
    #expect(movie.statistics.droppedFrameCounts[.lost] ?? 0 >= 19)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 15) < 0.002 })
    await studio.session.stop()
  }
}
