import CaptureKitLinux
import CaptureKitMovie
import Foundation
import Imaging
import TestSupport
import Testing

/// Movies of real drivers' frames: vivid's raw ones, and the USB camera's JPEG.
@Suite(.inLab(.single, .usb), .timeLimit(.minutes(1)))
struct MovieLabTests {
  static let names = ["a.mkv", "a.mp4", "a.mov", "a.avi"]

  private let folder: TemporaryFolder
  private let studio: LabStudio
  private let movie = CaptureMovieFileOutput()

  private static var isUSB: Bool { LabConstellation.current == .usb }

  init() throws {
    folder = try TemporaryFolder()
    studio =
      Self.isUSB ? try LabStudio() : try LabStudio(.yuyv, LabStudio.wideSize)
    // The emulated processor has no time for H.264.
    movie.settings = MovieSettings(codec: .jpeg)
    try studio.session.add(movie)
  }

  private func url(_ name: String) -> URL { folder.url.appending(path: name) }

  /// Waits until the movie has some frames more.
  private func frames(_ count: UInt64) async throws {
    let before = movie.statistics.writtenFrameCount
    try await until("\(count) frames are written") {
      movie.statistics.writtenFrameCount >= before + count
    }
  }

  @Test(arguments: names)
  func areReadAsTheyWereRecorded(_ name: String) async throws {
    try await studio.session.start()
    let recording = try await movie.startRecording(to: url(name))
    try await frames(12)
    let recorded = try await recording.stop()
    await studio.session.stop()

    #expect(recorded.error == nil)
    #expect(recorded.statistics.writtenFrameCount >= 12)
    let reader = try MovieReader(contentsOf: url(name))
    #expect(reader.codec == .jpeg)
    #expect(reader.codedSize == (Self.isUSB ? LabStudio.smallSize : LabStudio.wideSize))
    #expect(abs(reader.duration / .seconds(1) - recorded.duration / .seconds(1)) < 0.3)
    var times: [Duration] = []
    for try await frame in reader.frames { times.append(frame.time) }
    // An AVI's gaps are frames, too, which show the picture before them.
    #expect(times.count >= Int(recorded.statistics.writtenFrameCount) || name == "a.avi")
    #expect(times.first == .zero)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(!reader.isDamaged)
    #expect(try reader.posterImage(maxPixelSize: 160).size.width == 160)
  }

  @Test(.inLab(.usb))
  func haveTheCamerasNumbersAndItsTimes() async throws {
    try await studio.session.start()
    let recording = try await movie.startRecording(to: url("a.mkv"))
    try await frames(15)
    _ = try await recording.stop()
    await studio.session.stop()

    var previous: (number: Int, time: Duration)?
    for try await frame in try MovieReader(contentsOf: url("a.mkv")).frames {
      let number = try #require(try FrameNumber.read(frame.image.pixelBuffer()))
      if let previous {
        // A frame that was lost on its way leaves a gap of its time.
        #expect(number > previous.number)
        let interval = (frame.time - previous.time) / .seconds(1)
        #expect(interval > 0.02 * Double(number - previous.number))
      }
      previous = (number, frame.time)
    }
    #expect(previous != nil)
  }

  @Test(.inLab(.usb), arguments: names)
  func canBePlayedWhereTheCameraWasUnplugged(_ name: String) async throws {
    let camera = LabCamera()
    try await studio.session.start()
    let recording = try await movie.startRecording(to: url(name))
    try await frames(10)
    try await camera.tell("unplug")
    let recorded = try await recording.finished

    #expect(recorded.error?.code == .deviceDisconnected)
    #expect(recorded.error?.recordingSucceeded == true)
    #expect(!movie.isRecording)
    let reader = try MovieReader(contentsOf: url(name))
    var count = 0
    for try await _ in reader.frames { count += 1 }
    #expect(count >= 10)
    #expect(count >= Int(recorded.statistics.writtenFrameCount) || name == "a.avi")
    #expect(!reader.isDamaged)
    try await until("the camera is gone") { DiscoveryLabTests.cameras.isEmpty }
    try await camera.tell("plug")
    try await until("the camera is back") { !DiscoveryLabTests.cameras.isEmpty }
  }
}
