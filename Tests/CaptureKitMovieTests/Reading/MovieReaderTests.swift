import CaptureKitLinux
import Foundation
import Imaging
import Testing

@testable import CaptureKitMovie

/// Each container with each codec: what a movie says of itself, and that all of its frames come.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg to make movies"))
struct MovieReaderTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let options: String
    let container: MovieContainer
    let codec: String
    var testDescription: String { "\(name) \(codec)" }
  }

  static let kinds = [
    Kind(name: "a.mkv", options: "-c:v mjpeg -q:v 2", container: .matroska, codec: "jpeg"),
    Kind(name: "a.mkv", options: h264, container: .matroska, codec: "avc1"),
    Kind(name: "a.mp4", options: h264, container: .mp4, codec: "avc1"),
    Kind(name: "a.mp4", options: h264 + fragmented, container: .mp4, codec: "avc1"),
    Kind(name: "a.mp4", options: "-c:v mjpeg -q:v 2", container: .mp4, codec: "jpeg"),
    Kind(name: "a.mov", options: "-c:v mjpeg -q:v 2", container: .quickTime, codec: "jpeg"),
    Kind(name: "a.mov", options: h264, container: .quickTime, codec: "avc1"),
    Kind(name: "a.mov", options: "-c:v prores_ks", container: .quickTime, codec: "apcn"),
    Kind(name: "a.avi", options: "-c:v mjpeg -q:v 2", container: .avi, codec: "jpeg"),
    Kind(name: "a.avi", options: h264 + " -bf 0", container: .avi, codec: "avc1"),
    Kind(name: "a.avi", options: "-c:v mpeg4 -q:v 2", container: .avi, codec: "mp4v"),
    Kind(name: "a.ts", options: h264, container: .mpegTransportStream, codec: "avc1"),
    Kind(
      name: "a.webm", options: "-c:v libvpx-vp9 -b:v 0 -crf 20 -cpu-used 8 -g 12",
      container: .matroska, codec: "vp09"),
    Kind(
      name: "a.webm", options: "-c:v libvpx -b:v 1M -cpu-used 8 -g 12", container: .matroska,
      codec: "vp08"),
    Kind(name: "a.mkv", options: "-c:v ffv1", container: .matroska, codec: "ffv1"),
    Kind(
      name: "a.mp4", options: "-c:v libx265 -x265-params log-level=none:keyint=12 -crf 15",
      container: .mp4, codec: "hvc1"),
  ]

  static let h264 = "-c:v libx264 -preset ultrafast -bf 2 -g 12 -crf 10"
  static let fragmented = " -movflags empty_moov+default_base_moof+frag_keyframe"

  @Test(arguments: kinds)
  func saysWhatItIs(_ kind: Kind) throws {
    let movie = try SampleMovie(kind.name, kind.options)
    let reader = try MovieReader(contentsOf: movie.url)

    #expect(reader.container == kind.container)
    #expect(reader.codec.rawValue == kind.codec)
    #expect(reader.size == VideoDimensions(width: 64, height: 48))
    #expect(reader.codedSize == reader.size)
    #expect(reader.orientation == .up)
    #expect(abs((reader.nominalFrameRate ?? 0) - 25) < 0.3)
    #expect(abs(reader.duration.seconds - 2) < 0.045)
    #expect(abs((reader.estimatedFrameCount ?? 0) - 50) <= 1)
    #expect(reader.byteCount == (try movie.data.count))
  }

  @Test(arguments: kinds)
  func givesAllFramesInOrder(_ kind: Kind) async throws {
    let movie = try SampleMovie(kind.name, kind.options)
    let reader = try MovieReader(contentsOf: movie.url)

    var count = 0
    for try await frame in reader.frames {
      #expect(
        abs(frame.pixels.luma(0.25, 0.5) - SampleMovie.luma(of: count)) <= 3, "frame \(count)")
      #expect(abs(frame.time.seconds - Double(count) / 25) < 0.002)
      #expect(abs((frame.duration?.seconds ?? 0) - 0.04) < 0.002 || count == 49)
      #expect(count > 0 || frame.isKeyFrame)
      count += 1
    }

    #expect(count == 50)
    #expect(!reader.isDamaged)
  }

  @Test(arguments: kinds)
  func findsTheFrameOfEachTime(_ kind: Kind) throws {
    let movie = try SampleMovie(kind.name, kind.options)
    let reader = try MovieReader(contentsOf: movie.url)

    // There and back again, so that key frames have to be looked for.
    for index in [0, 49, 7, 8, 30, 29, 12, 11, 13, 48, 1, 24, 36, 25, 0] {
      let begin = try reader.frame(at: .seconds(Double(index) / 25))
      let within = try reader.frame(at: .seconds(Double(index) / 25 + 0.021))

      #expect(abs(begin.pixels.luma(0.25, 0.5) - SampleMovie.luma(of: index)) <= 3, "\(index)")
      #expect(abs(within.pixels.luma(0.25, 0.5) - SampleMovie.luma(of: index)) <= 3, "\(index)")
      #expect(try reader.frame(at: begin.time).time == begin.time)
    }
  }

  @Test(arguments: kinds)
  func hasItsLastFrameAtItsEndAndNoneBehind(_ kind: Kind) throws {
    let movie = try SampleMovie(kind.name, kind.options)
    let reader = try MovieReader(contentsOf: movie.url)

    let last = try reader.frame(at: reader.duration)
    #expect(abs(last.pixels.luma(0.25, 0.5) - SampleMovie.luma(of: 49)) <= 3)
    for time in [Duration.seconds(3), .seconds(1_000_000), .nanoseconds(-1), .seconds(Int64.max)] {
      let error = #expect(throws: MovieError.self) { try reader.frame(at: time) }
      #expect(error?.code == .endOfMovie)
      #expect(error?.description.contains(movie.url.path) == true)
    }
    // A refused time takes nothing away.
    #expect(abs(try reader.frame(at: .zero).pixels.luma(0.25, 0.5) - SampleMovie.luma(of: 0)) <= 3)
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}
