import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureKitMovie

/// What ends a recording that nobody asked to end: its file can be played, and it is told why.
@Suite(.timeLimit(.minutes(1)))
struct RecordingEndsTests {
  /// Begins a recording and has some frames in it.
  private func begin(
    _ studio: MovieStudio, frames: Int = 20, to name: String = "a.mkv"
  ) async throws -> RecordingDiary {
    let diary = RecordingDiary()
    try await studio.session.start()
    studio.movie.startRecording(to: studio.url(name), recordingDelegate: diary)
    await studio.take(frames)
    return diary
  }

  private func expect(
    _ code: MovieError.Code, of diary: RecordingDiary, _ studio: MovieStudio,
    frames: Int?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      diary.entries == ["start", "will finish", "finish"], sourceLocation: sourceLocation)
    #expect(diary.error?.code == code, "\(String(describing: diary.error))")
    #expect(diary.error?.recordingSucceeded == true, sourceLocation: sourceLocation)
    #expect(studio.movie.lastError?.code == code, sourceLocation: sourceLocation)
    if let frames {
      #expect(
        studio.movie.statistics.writtenFrameCount == UInt64(frames), sourceLocation: sourceLocation)
    }
    guard MoviePrograms.hasFFmpeg else { return }
    let name = try #require(try studio.folder.names.first)
    #expect(
      try MoviePrograms.packets(of: studio.url(name)).count
        == Int(studio.movie.statistics.writtenFrameCount), sourceLocation: sourceLocation)
    #expect(
      try MoviePrograms.faults(of: studio.url(name)) == "", sourceLocation: sourceLocation)
  }

  @Test func anUnpluggedCamera() async throws {
    let studio = try await MovieStudio()
    let diary = try await begin(studio)

    studio.camera.unplug()
    await diary.wait(for: "finish")

    try expect(.deviceDisconnected, of: diary, studio, frames: 20)
    #expect(diary.error.map { "\($0)".contains(studio.device.localizedName) } == true)
    await studio.session.stop()
  }

  @Test func aStoppedSession() async throws {
    let studio = try await MovieStudio()
    let diary = try await begin(studio)

    await studio.session.stop()
    await diary.wait(for: "finish")

    try expect(.sessionStopped, of: diary, studio, frames: 20)
  }

  @Test func aRemovedOutput() async throws {
    let studio = try await MovieStudio()
    let diary = try await begin(studio)

    studio.session.removeOutput(studio.movie)
    await diary.wait(for: "finish")

    try expect(.sessionStopped, of: diary, studio, frames: nil)
    await studio.session.stop()
  }

  /// Session, output and delegate are nobody's any more.
  @Test func aForgottenSession() async throws {
    let diary = RecordingDiary()
    weak var output: CaptureMovieFileOutput?
    var folder: TemporaryFolder?
    do {
      let studio = try await MovieStudio()
      output = studio.movie
      folder = studio.folder
      try await studio.session.start()
      studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: diary)
      await studio.take(3)
    }

    await diary.wait(for: "finish")

    #expect(diary.entries == ["start", "will finish", "finish"])
    #expect(try folder?.names == ["a.mkv"])
    while output != nil { await Task.yield() }
  }

  @Test func aNewFormat() async throws {
    let formats = [64, 128].map {
      CaptureDevice.Format(
        .yuyv, dimensions: VideoDimensions(width: $0, height: 48),
        frameDurations: [.thirtieth ... .thirtieth])
    }
    let studio = try await MovieStudio(
      MockCamera(frames: .testPattern(.yuyv, width: 64, height: 48), formats: formats))
    studio.movie.settings = MovieSettings(codec: .jpeg)
    try studio.device.lockForConfiguration()
    studio.device.activeFormat = studio.device.formats.first
    studio.device.unlockForConfiguration()
    let diary = try await begin(studio)

    try studio.session.configure {
      try studio.device.lockForConfiguration()
      studio.device.activeFormat = studio.device.formats.last
      studio.device.unlockForConfiguration()
    }
    await studio.take(2)
    await diary.wait(for: "finish")

    try expect(.formatChanged, of: diary, studio, frames: 20)
    await studio.session.stop()
  }

  @Test(arguments: MovieContainer.all)
  func theLongestDuration(container: MovieContainer) async throws {
    let studio = try await MovieStudio()
    studio.movie.maxRecordedDuration = .seconds(1)
    let diary = try await begin(studio, frames: 40, to: "a.\(container)")

    await diary.wait(for: "finish")

    try expect(.maximumDurationReached, of: diary, studio, frames: nil)
    #expect((29...30).contains(studio.movie.statistics.writtenFrameCount))
    #expect(studio.movie.recordedDuration <= .seconds(1))
    await studio.session.stop()
  }

  @Test(arguments: MovieContainer.all)
  func theLargestFile(container: MovieContainer) async throws {
    let studio = try await MovieStudio()
    studio.movie.maxRecordedFileSize = 100_000
    let diary = try await begin(studio, frames: 60, to: "a.\(container)")

    await diary.wait(for: "finish")

    try expect(.maximumFileSizeReached, of: diary, studio, frames: nil)
    let size = try Data(contentsOf: studio.url("a.\(container)")).count
    #expect((80_000...100_000).contains(size))
    #expect(studio.movie.recordedFileSize == Int64(size))
    await studio.session.stop()
  }

  @Test func aDiskWithoutTheRoomThatIsToBeLeft() async throws {
    let studio = try await MovieStudio()
    studio.movie.minFreeDiskSpaceLimit = .max
    let diary = RecordingDiary()
    try await studio.session.start()

    studio.movie.startRecording(to: studio.url("a.mkv"), recordingDelegate: diary)
    await diary.wait(for: "finish")

    #expect(diary.error?.code == .minimumFreeDiskSpaceReached)
    #expect(diary.error?.recordingSucceeded == false)
    #expect(try studio.folder.names == [])
    await studio.session.stop()
  }

  @Test func framesThatCannotBeRecorded() async throws {
    let format = CaptureDevice.Format(
      .h264, dimensions: VideoDimensions(width: 64, height: 48),
      frameDurations: [.thirtieth ... .thirtieth])
    let studio = try await MovieStudio(
      MockCamera(
        frames: .generated([format]) { request in
          CapturedFrame(
            compressed: Data([0, 0, 1, 0x65, 1]), as: .h264, dimensions: request.format.dimensions,
            sequence: request.sequence, timestamp: request.timestamp)
        }))
    try studio.device.lockForConfiguration()
    studio.device.activeFormat = studio.device.formats.first
    studio.movie.settings = MovieSettings(codec: .jpeg)
    let diary = try await begin(studio, frames: 1)

    await diary.wait(for: "finish")

    #expect(diary.entries == ["will finish", "finish"])
    #expect(diary.error?.code == .unsupportedCodec)
    #expect(diary.error?.recordingSucceeded == false)
    #expect(try studio.folder.names == [])
    studio.device.unlockForConfiguration()
    await studio.session.stop()
  }
}
