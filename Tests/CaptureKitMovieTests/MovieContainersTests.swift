import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import CaptureKitMovie

/// What other programs read of movies in each container, of each kind of frames.
@Suite(.timeLimit(.minutes(5)), .enabled(if: MoviePrograms.hasFFmpeg))
struct MovieContainersTests {
  /// What a camera sends and what is asked for, and what comes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let format: PixelFormat
    let settings: MovieSettings
    let codec: String
    let encoder: String?
    var range: ColorDescription.Range = .limited
    var cameraRange: ColorDescription.Range = .limited

    var testDescription: String { "\(format) as \(settings.codec?.rawValue ?? "it is")" }
  }

  static let hasH264 = LibAVEncoder.installed != nil

  static let rows: [Row] =
    [
      Row(format: .mjpeg, settings: .automatic, codec: "mjpeg", encoder: nil, range: .full),
      Row(
        format: .yuyv, settings: MovieSettings(codec: .jpeg), codec: "mjpeg", encoder: "Imaging",
        range: .full),
      Row(
        format: .bgra, settings: MovieSettings(codec: .jpeg, quality: 1), codec: "mjpeg",
        encoder: "Imaging", range: .full),
    ]
    + (hasH264 ? [PixelFormat.mjpeg, .yuyv, .nv12, .rgb24] : []).map {
      Row(
        format: $0, settings: MovieSettings(codec: .h264), codec: "h264",
        encoder: LibAVEncoder.installed)
    }
    + (hasH264 ? [PixelFormat.yuyv, .grey] : []).map {
      Row(
        format: $0, settings: MovieSettings(codec: .h264), codec: "h264",
        encoder: LibAVEncoder.installed, range: .full, cameraRange: .full)
    }

  @Test(arguments: rows, MovieContainer.all)
  func playEverywhere(row: Row, container: MovieContainer) async throws {
    let studio = try await MovieStudio(row.format, range: row.cameraRange)
    studio.movie.settings = row.settings
    try await studio.session.start()

    let movie = try await studio.record(35, to: "a.\(container)")

    #expect(movie.error == nil)
    #expect(movie.container == container)
    #expect(movie.statistics.encoder == row.encoder)
    #expect(movie.statistics.writtenFrameCount == 35)
    #expect(try MoviePrograms.packets(of: movie.url).count == 35)
    let values = try MoviePrograms.values(
      ["codec_name", "width", "color_range", "color_space"], of: movie.url)
    #expect(values["codec_name"] == row.codec)
    #expect(values["width"] == "160")
    #expect(values["color_range"] == (row.range == .full ? "pc" : "tv"))
    #expect(["smpte170m", "bt470bg"].contains(values["color_space"] ?? ""))
    let duration = values["duration"].flatMap(Double.init) ?? 0
    #expect(abs(duration - 35.0 / 30) < 0.04)
    #expect(try MoviePrograms.faults(of: movie.url) == "")
    if MoviePrograms.hasMediaInfo {
      let jpeg = container == .matroska ? "V_MJPEG" : "JPEG"
      let text = try MoviePrograms.mediaInfo("Video;%Width%x%Height% %Format%", of: movie.url)
      #expect(text == "160x120 \(row.codec == "h264" ? "AVC" : jpeg)")
    }
    await studio.session.stop()
  }

  @Test(arguments: MovieContainer.all)
  func keepEachJPEGByteForByte(container: MovieContainer) async throws {
    let studio = try await MovieStudio(.mjpeg)
    let taps = FrameBytes()
    try studio.session.add(taps)
    try await studio.session.start()

    let movie = try await studio.record(20, to: "a.\(container)")

    let bytes = try Self.packetBytes(of: movie.url, in: studio.folder)
    #expect(bytes == taps.bytes.withLock { $0.reduce(Data(), +) })
    await studio.session.stop()
  }

  @Test func putMissingTablesIntoJPEG() async throws {
    let studio = try await MovieStudio(
      MockCamera(
        frames: .testPattern(.mjpeg, width: 160, height: 120, omitsHuffmanTables: true)))
    let taps = FrameBytes()
    try studio.session.add(taps)
    try await studio.session.start()

    let movie = try await studio.record(3, to: "a.mkv")

    let bytes = try Self.packetBytes(of: movie.url, in: studio.folder)
    let sent = taps.bytes.withLock { $0 }
    let tableByteCount = 420
    #expect(bytes.count == sent.reduce(0) { $0 + $1.count + tableByteCount })
    #expect(try !JPEGHeader(parsing: sent[0].bytes).hasHuffmanTables)
    #expect(try JPEGHeader(parsing: bytes.bytes).hasHuffmanTables)
    await studio.session.stop()
  }

  @Test(.enabled(if: hasH264), arguments: MovieContainer.all)
  func keepTheCamerasH264(container: MovieContainer) async throws {
    let source = try TemporaryFolder()
    let file = source.url.appending(path: "s.h264")
    try H264Stream.make(file, frameCount: 60)
    let studio = try await MovieStudio(try H264Stream(contentsOf: file))
    try studio.chooseFirstFormat()
    try await studio.session.start()
    // The first frames cannot be decoded: the movie begins with the next key frame.
    await studio.take(20)

    let movie = try await studio.record(40, to: "a.\(container)")

    #expect(movie.codec == .h264)
    #expect(movie.statistics.encoder == nil)
    #expect(movie.statistics.writtenFrameCount == 30)
    #expect(try MoviePrograms.packets(of: movie.url).first?.isKey == true)
    #expect(try MoviePrograms.faults(of: movie.url) == "")
    let pictures = try Self.hashes(of: movie.url)
    #expect(pictures.count == 30)
    #expect(try pictures == Array(Self.hashes(of: file).dropFirst(30)))
    await studio.session.stop()
  }

  /// Bytes of the video's packets, one after the other.
  private static func packetBytes(of url: URL, in folder: TemporaryFolder) throws -> Data {
    let target = folder.url.appending(path: "packets")
    _ = try MoviePrograms.run([
      "/usr/bin/ffmpeg", "-v", "error", "-i", url.path, "-c", "copy", "-f", "data", "-map", "0:v",
      target.path,
    ])
    return try Data(contentsOf: target)
  }

  /// A checksum of each decoded picture.
  private static func hashes(of url: URL) throws -> [String] {
    let text = try MoviePrograms.run([
      "/usr/bin/ffmpeg", "-v", "error", "-i", url.path, "-vsync", "passthrough", "-f", "framemd5",
      "-",
    ]).text
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}

/// Keeps the bytes of all frames that it gets.
private final class FrameBytes: CaptureOutput {
  let bytes = Mutex<[Data]>([])

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    var copy = Data()
    for place in 0..<frame.bytes.byteCount {
      copy.append(frame.bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))
    }
    bytes.withLock { $0.append(copy) }
  }
}
