import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import CaptureKitMovie

/// Loops over a movie's frames, and frames at times of their own.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg to make movies"))
struct MovieFramesTests {
  @Test func beginAtTheFrameThatIsShownThen() async throws {
    let movie = try SampleMovie("a.mp4", MovieReaderTests.h264)
    let reader = try MovieReader(contentsOf: movie.url)

    var times: [Double] = []
    for try await frame in reader.frames(from: .milliseconds(990)) {
      times.append(frame.time.seconds)
    }
    #expect(times.count == 26)
    #expect(abs((times.first ?? 0) - 0.96) < 0.001)
  }

  @Test(arguments: [Duration.seconds(-1), .seconds(5), Duration(attoseconds: .max)])
  func beginNowhereElse(_ time: Duration) async throws {
    let movie = try SampleMovie("a.mp4", MovieReaderTests.h264)
    let reader = try MovieReader(contentsOf: movie.url)

    var iterator = reader.frames(from: time).makeAsyncIterator()
    let error = await #expect(throws: MovieError.self) { try await iterator.next() }
    #expect(error?.code == .endOfMovie)
    #expect(try await iterator.next() == nil)
  }

  @Test func ofTwoLoopsAndACallDoNotDisturbEachOther() async throws {
    let movie = try SampleMovie("a.mkv", MovieReaderTests.h264)
    let reader = try MovieReader(contentsOf: movie.url)

    var one = reader.frames.makeAsyncIterator()
    var other = reader.frames(from: .seconds(1)).makeAsyncIterator()
    for index in 0..<25 {
      let first = try #require(try await one.next())
      let second = try #require(try await other.next())
      let third = try reader.frame(at: .milliseconds(40 * (49 - index)))
      #expect(abs(first.pixels.luma(0.25, 0.4) - SampleMovie.luma(of: index)) <= 3)
      #expect(abs(second.pixels.luma(0.25, 0.4) - SampleMovie.luma(of: 25 + index)) <= 3)
      #expect(abs(third.pixels.luma(0.25, 0.4) - SampleMovie.luma(of: 49 - index)) <= 3)
    }
  }

  @Test func endWhereTheTaskIsCancelled() async throws {
    let movie = try SampleMovie("a.mkv", frames: 100, MovieReaderTests.h264)
    let reader = try MovieReader(contentsOf: movie.url)

    let count = Mutex(0)
    let task = Task {
      for try await _ in reader.frames {
        let seen = count.withLock { count in
          count += 1
          return count
        }
        if seen == 5 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    try await task.value
    #expect(count.withLock { $0 } == 5)
  }

  @Test func areOfTheFileThatWasOpened() async throws {
    let movie = try SampleMovie("a.mkv", "-c:v mjpeg -q:v 2")
    let reader = try MovieReader(contentsOf: movie.url)
    movie.folder.remove("a.mkv")
    try movie.folder.write("another file", to: "a.mkv")

    var count = 0
    for try await _ in reader.frames { count += 1 }
    #expect(count == 50)
  }

  @Test func keepTheTimesOfAVariableRate() async throws {
    // Every third frame and two besides.
    let movie = try SampleMovie(
      "a.mkv", "-vf select='not(mod(n,3))+eq(n,1)+eq(n,46)' -vsync vfr -c:v libx264 -g 12")
    let reader = try MovieReader(contentsOf: movie.url)
    let shown = (0..<50).filter { $0 % 3 == 0 || $0 == 1 || $0 == 46 }

    var frames: [MovieFrame] = []
    for try await frame in reader.frames { frames.append(frame) }
    #expect(frames.map { Int(($0.time.seconds * 25).rounded()) } == shown)
    for (frame, next) in zip(frames, frames.dropFirst()) {
      #expect(frame.time + (frame.duration ?? .zero) == next.time)
    }
    // A frame is shown until the next one.
    for index in [45, 2, 5, 44, 46, 47, 1] {
      let frame = try reader.frame(at: .milliseconds(40 * index + 20))
      let expected = try #require(shown.last { $0 <= index })
      #expect(abs(frame.pixels.luma(0.25, 0.4) - SampleMovie.luma(of: expected)) <= 3)
    }
  }

  @Test func takeNoMoreMemoryTheMoreThereAre() async throws {
    let movie = try SampleMovie(
      "a.mkv", arguments: "-f lavfi -i testsrc2=size=1280x720:rate=25:duration=6 -c:v mjpeg")
    let reader = try MovieReader(contentsOf: movie.url)

    var early = 0
    var count = 0
    for try await frame in reader.frames {
      #expect(frame.pixels.width == 1280)
      count += 1
      if count == 30 { early = ProcessMemory.resident }
    }
    #expect(count == 150)
    // A frame has 1.4 megabytes.
    #expect(ProcessMemory.resident - early < 20 << 20)
  }

  @Test func leaveNothingOpen() async throws {
    let movie = try SampleMovie("a.mp4", MovieReaderTests.h264)
    let before = ProcessMemory.descriptorCount
    for _ in 0..<5 {
      let reader = try MovieReader(contentsOf: movie.url)
      for try await _ in reader.frames { break }
      _ = try reader.posterImage()
    }
    // A loop that was left may have a frame under way, which holds its file for a moment; what stays
    // open meets the time limit.
    while ProcessMemory.descriptorCount > before { await Task.yield() }
  }

  @Test func areDecodedOffTheCallersThread() async throws {
    let movie = try SampleMovie("a.mp4", MovieReaderTests.h264)
    let reader = try MovieReader(contentsOf: movie.url)

    // The main actor is free while frames are made: what is enqueued meanwhile runs.
    await MainActor.run {}
    let count = try await Task { @MainActor in
      var count = 0
      for try await _ in reader.frames { count += 1 }
      return count
    }.value
    #expect(count == 50)
  }

  @Test func canBeAskedForByManyThreads() async throws {
    let movie = try SampleMovie("a.mp4", MovieReaderTests.h264)
    let reader = try MovieReader(contentsOf: movie.url)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<16 {
        group.addTask {
          let number = index * 3
          let frame = try reader.frame(at: .milliseconds(40 * number))
          #expect(abs(frame.pixels.luma(0.25, 0.4) - SampleMovie.luma(of: number)) <= 3)
        }
      }
      try await group.waitForAll()
    }
  }
}
