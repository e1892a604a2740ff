import CaptureKitLinux
import CaptureKitMocks
import Foundation
import TestSupport
import Testing

@testable import CaptureKitMovie

/// When movies were recorded: what others write is read, and what is written others read.
@Suite(.timeLimit(.minutes(1)), .enabled(if: MoviePrograms.hasFFmpeg))
struct MovieCreationDateTests {
  static let moment = 1_796_117_415.0
  static let dated = "-c:v mjpeg -metadata creation_time=2026-12-01T09:30:15.250000Z"

  @Test(arguments: [("a.mkv", 0.25), ("a.mp4", 0), ("a.mov", 0)])
  func isRead(name: String, fraction: Double) throws {
    let movie = try SampleMovie(name, frames: 2, Self.dated)
    let date = Date(timeIntervalSince1970: Self.moment + fraction)

    #expect(try MovieReader(contentsOf: movie.url).creationDate == date)
    #expect(try MovieReader.creationDate(ofMovieAt: movie.url) == date)
  }

  @Test(arguments: ["a.mkv", "a.mp4", "a.mov", "a.avi", "a.ts"])
  func isNoneWhereTheFileSaysNone(name: String) throws {
    let codec = name == "a.ts" ? "mpeg2video" : "mjpeg"
    let movie = try SampleMovie(name, frames: 30, "-c:v \(codec)")

    #expect(try MovieReader(contentsOf: movie.url).creationDate == nil)
    #expect(try MovieReader.creationDate(ofMovieAt: movie.url) == nil)
  }

  /// Telephones write it so; the other date is that of the program that cut the movie.
  @Test func isQuickTimesOwnWhereThereIsOne() throws {
    let movie = try SampleMovie(
      "a.mov", frames: 2,
      Self.dated + " -movflags use_metadata_tags"
        + " -metadata com.apple.quicktime.creationdate=2020-05-10T14:20:33-0700")

    let date = try MovieReader(contentsOf: movie.url).creationDate
    #expect(date == Date(timeIntervalSince1970: 1_589_145_633))
  }

  @Test func isNoneWhereItIsBefore1970() throws {
    let movie = try SampleMovie("a.mkv", frames: 2, Self.dated)
    let url = try movie.changed { data in
      // `DateUTC`: nanoseconds since 2001.
      guard let place = data.range(of: Data([0x44, 0x61, 0x88]))?.upperBound else { return }
      let in1962 = Int64(-1_200_000_000_000_000_000)
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: in1962 >> (56 - 8 * $0)) }
      data.replaceSubrange(place..<place + 8, with: bytes)
    }

    #expect(try MovieReader(contentsOf: url).creationDate == nil)
    #expect(try MovieReader(contentsOf: url).codedSize.width == SampleMovie.width)
  }

  @Test func isNotAskedOfWhatIsNoMovie() throws {
    let folder = try TemporaryFolder()
    let text = folder.file("a.mkv", "no movie at all")

    let damaged = #expect(throws: MovieError.self) {
      try MovieReader.creationDate(ofMovieAt: URL(filePath: text))
    }
    #expect(damaged?.code == .notAMovie)
    let missing = #expect(throws: MovieError.self) {
      try MovieReader.creationDate(ofMovieAt: folder.url.appending(path: "none.mkv"))
    }
    #expect(missing?.code == .cannotRead)
  }

  @Test(arguments: [MovieContainer.matroska, .mp4, .quickTime])
  func isThatOfTheFirstFrame(container: MovieContainer) async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()
    let before = Date()
    let movie = try await studio.record(5, to: "a.\(container)")
    let after = Date()

    // MP4 and QuickTime count whole seconds.
    let possible = before.addingTimeInterval(-1.2)...after
    let date = try #require(try MovieReader(contentsOf: movie.url).creationDate)
    #expect(possible.contains(date))
    let text = try MoviePrograms.value("creation_time", of: movie.url, section: "format_tags")
    #expect(MovieDate.date(text) == date, "\(text)")
    #expect(try MoviePrograms.faults(of: movie.url) == "")
    await studio.session.stop()
  }

  /// The clock that frames are stamped by has nothing to do with the machine's.
  @Test func isThatOfThePreRoll() async throws {
    let studio = try await MovieStudio()
    studio.movie.preRoll = MoviePreRoll(duration: .seconds(30))
    try await studio.session.start()
    await studio.take(300, rate: 15)
    let before = Date()

    let movie = try await studio.record(2, to: "a.mkv", rate: 15)

    let date = try #require(try MovieReader(contentsOf: movie.url).creationDate)
    let lead = Duration.seconds(movie.duration / .seconds(1) - 2.0 / 15)
    #expect(abs(before.timeIntervalSince(date) - lead / .seconds(1)) < 5)
    #expect(lead > .seconds(15))
    await studio.session.stop()
  }

  @Test func isNoneOfAVI() async throws {
    let studio = try await MovieStudio()
    try await studio.session.start()

    let movie = try await studio.record(5, to: "a.avi")

    #expect(try MovieReader(contentsOf: movie.url).creationDate == nil)
    await studio.session.stop()
  }
}
