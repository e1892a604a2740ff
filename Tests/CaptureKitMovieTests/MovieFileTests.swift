import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureKitMovie

/// What is in a file while it is written, whatever the frames' stamps are.
@Suite(.timeLimit(.minutes(1)))
struct MovieFileTests {
  private static let track = MovieTrack.Video(
    codec: .jpeg, width: 16, height: 16, color: .jpeg, frameDuration: .thirtieth)

  private static let setBack: [Int64] = (0..<300).map { (number: Int64) -> Int64 in
    number < 10 ? 900_000 + number * 33 : number * 33
  }

  private func file(_ name: String, in folder: TemporaryFolder) throws -> MovieFile {
    let url = folder.url.appending(path: name)
    let container = try #require(MovieContainer(pathExtension: url.pathExtension))
    return try MovieFile(
      RecordingJob(
        id: 1, url: url, container: container, orientation: .up, limits: RecordingLimits(),
        clock: ManualClock(), handler: { _ in }))
  }

  private func sample(_ milliseconds: Int64, _ byteCount: Int = 1000) -> MovieSample {
    MovieSample(
      bytes: SharedBytes([UInt8](repeating: 1, count: byteCount)),
      time: HostTime(nanoseconds: milliseconds * 1_000_000), isKey: true)
  }

  /// Fragments are in memory until they are written.
  @Test(arguments: [setBack, [Int64](repeating: 7, count: 300)])
  func hasWhatWasRecordedWithAClockThatIsSetBackOrStandsStill(stamps: [Int64]) throws {
    let folder = try TemporaryFolder()
    let file = try file("a.mp4", in: folder)

    for stamp in stamps { #expect(try file.append(sample(stamp), of: Self.track)) }

    #expect(try Data(contentsOf: folder.url.appending(path: "a.mp4")).count > 240_000)
    #expect(file.finish(nil) == nil)
  }

  @Test func keepsNoMoreInMemoryThanItMay() throws {
    let folder = try TemporaryFolder()
    let file = try file("a.mp4", in: folder)

    for _ in 0..<10 { #expect(try file.append(sample(0, 4 << 20), of: Self.track)) }

    #expect(try Data(contentsOf: folder.url.appending(path: "a.mp4")).count >= 32 << 20)
    #expect(file.finish(nil) == nil)
  }

  /// libavformat fills gaps of AVI files with empty frames, and no more than 60 000.
  @Test func goesOnAfterAGapThatAVIFilesCannotHave() throws {
    let folder = try TemporaryFolder()
    let file = try file("a.avi", in: folder)

    for stamp in [Int64]([0, 33, 2_400_000, 2_400_033]) {
      #expect(try file.append(sample(stamp), of: Self.track))
    }

    #expect(file.finish(nil) == nil)
    #expect(file.duration < .seconds(1))
  }
}
