import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureKitMovie

/// Movies whose end is missing, that have no index, or with changed bytes: what is there is read.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg to make movies"))
struct DamagedMoviesTests {
  static let kinds = [
    ("a.mkv", "-c:v mjpeg -q:v 2"), ("a.mkv", MovieReaderTests.h264),
    ("a.avi", "-c:v mjpeg -q:v 2"),
    ("a.mp4", MovieReaderTests.h264 + MovieReaderTests.fragmented),
    ("a.mov", "-c:v mjpeg -q:v 2" + MovieReaderTests.fragmented),
    ("a.mp4", MovieReaderTests.h264 + " -movflags faststart"), ("a.ts", MovieReaderTests.h264),
  ]

  @Test(arguments: kinds)
  func areReadAsFarAsTheyGo(_ name: String, _ options: String) async throws {
    let movie = try SampleMovie(name, options)
    let byteCount = try movie.data.count
    for part in [0.5, 0.7, 0.93] {
      let url = try movie.changed("cut") { $0 = $0.prefix(Int(Double(byteCount) * part)) }
      let reader = try MovieReader(contentsOf: url)

      var count = 0
      for try await frame in reader.frames {
        let index = Int((frame.time.seconds * 25).rounded())
        #expect(abs(frame.pixels.luma(0.25, 0.4) - SampleMovie.luma(of: index)) <= 3)
        count += 1
      }
      // Headers and the first key frame are larger than their part.
      #expect(count > 0 && count <= (part < 0.9 ? 49 : 50), "\(part)")
      #expect(try reader.posterImage(maxPixelSize: 32).size.width == 32)
      let last = try reader.frame(at: reader.duration)
      #expect(last.time.seconds >= Double(count - 3) / 25)
      #expect(reader.duration.seconds >= Double(count - 1) / 25)
    }
  }

  @Test(arguments: kinds.dropLast(2))
  func withoutAnIndexHaveTimesAndADuration(_ name: String, _ options: String) throws {
    // To a pipe, so that nothing can be put in its place at the end.
    let ends = name.hasSuffix("mkv") ? "matroska" : String(name.suffix(3))
    let movie = try SampleMovie("piped-\(name)", frames: 100, options + " -f \(ends)")
    let whole = try movie.data
    let place = try #require(
      whole.range(of: name.hasSuffix("avi") ? Data("idx1".utf8) : Data())
        ?? (whole.endIndex..<whole.endIndex))
    let url = try movie.changed("cut") { $0 = $0.prefix(place.lowerBound) }
    let reader = try MovieReader(contentsOf: url)

    #expect(abs(reader.duration.seconds - 4) < 0.05)
    for index in [99, 50, 3, 51, 98] {
      let frame = try reader.frame(at: .seconds(Double(index) / 25 + 0.01))
      #expect(abs(frame.pixels.luma(0.25, 0.4) - SampleMovie.luma(of: index)) <= 3, "\(index)")
    }
    #expect(throws: MovieError.self) { try reader.frame(at: .seconds(4.2)) }
  }

  @Test(arguments: kinds)
  func withChangedBytesEndWithoutATrap(_ name: String, _ options: String) async throws {
    let movie = try SampleMovie(name, frames: 25, options)
    var random = Numbers(state: 0x9E37_79B9)
    for _ in 0..<25 {
      let url = try movie.changed { data in
        for _ in 0..<1 + random.next() % 30 {
          data[Int(random.next() % UInt64(data.count))] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      guard let reader = try? MovieReader(contentsOf: url) else { continue }
      _ = try? reader.posterImage(maxPixelSize: 20)
      _ = try? reader.frame(at: .milliseconds(500))
      var latest = Duration.zero
      do {
        for try await frame in reader.frames {
          #expect(frame.time >= latest)
          latest = frame.time
        }
      } catch { #expect(error.description.hasSuffix(".")) }
    }
  }

  @Test func aDamagedFrameIsPassedOverAndTold() async throws {
    let movie = try SampleMovie("a.mkv", frames: 20, "-c:v mjpeg -q:v 2")
    // The picture in the middle is gone.
    let url = try movie.changed { data in
      let starts = data.indices.dropLast(3).filter {
        data[$0] == 0xFF && data[$0 + 1] == 0xD8 && data[$0 + 2] == 0xFF
      }
      let picture = starts[10] + 2..<starts[11] - 20
      data.replaceSubrange(picture, with: Data(count: picture.count))
    }
    let reader = try MovieReader(contentsOf: url)
    #expect(!reader.isDamaged)

    var seen: Set<Int> = []
    for try await frame in reader.frames { seen.insert(frame.pixels.luma(0.25, 0.4)) }
    let expected = (0..<20).filter { $0 != 10 }.map(SampleMovie.luma(of:))
    for luma in expected { #expect(seen.contains { abs($0 - luma) <= 1 }, "\(luma)") }
    #expect(reader.isDamaged)
  }

  @Test func withNothingLeftHaveACode() async throws {
    let movie = try SampleMovie("a.mov", frames: 20, "-c:v mjpeg -q:v 2 -movflags faststart")
    let url = try movie.changed { data in
      guard let media = data.range(of: Data("mdat".utf8)) else { return }
      data.replaceSubrange(media.upperBound..., with: Data(count: data.count - media.upperBound))
    }
    guard let reader = try? MovieReader(contentsOf: url) else { return }

    #expect(throws: MovieError.self) { try reader.posterImage() }
    let error = #expect(throws: MovieError.self) { try reader.frame(at: .zero) }
    #expect(error?.code == .corrupt)
    let looped = await #expect(throws: MovieError.self) { for try await _ in reader.frames {} }
    #expect(looped?.code == .corrupt)
    #expect(reader.isDamaged)
  }

  @Test func sayNothingOnStandardError() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let movie = try SampleMovie("a.mp4", MovieReaderTests.h264 + " -movflags faststart")
      let url = try movie.changed { data in
        for place in stride(from: 3000, to: data.count, by: 97) { data[place] = 0x55 }
        data.removeLast(data.count / 5)
      }
      let reader = try MovieReader(contentsOf: url)
      for try await _ in reader.frames {}
      _ = try? MovieReader(contentsOf: movie.changed("text") { $0 = Data("text".utf8) })
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self) == "")
  }
}

/// The same numbers at each run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
