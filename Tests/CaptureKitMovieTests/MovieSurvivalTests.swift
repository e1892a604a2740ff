import CaptureKitLinux
import CaptureKitMovie
import Foundation
import TestSupport
import Testing

/// What is left of a recording whose process is killed, or whose disk is full.
@Suite(.timeLimit(.minutes(5)), .enabled(if: MoviePrograms.hasFFmpeg))
struct MovieSurvivalTests {
  private static let worker = Worker.path(of: "movie-worker")

  /// One killed recording.
  struct Run: Sendable {
    let container: MovieContainer
    let frames: String
    let codec: String
    /// How much of it there is when it is killed.
    let seconds: Double
    let url: URL
  }

  private static func runs(in folder: TemporaryFolder, count: Int) throws -> [Run] {
    let stream = folder.url.appending(path: "s.h264")
    let hasH264 = CaptureMovieFileOutput().availableVideoCodecTypes.contains(.h264)
    var kinds = [("MJPG", "automatic"), ("YUYV", "jpeg")]
    if hasH264 {
      try H264Stream.make(stream, frameCount: 300)
      kinds += [("YUYV", "h264"), (stream.path, "automatic")]
    }
    return (0..<count).map { number in
      let container = MovieContainer.all[number % 4]
      let kind = kinds[number / 4 % kinds.count]
      return Run(
        container: container, frames: kind.0, codec: kind.1,
        seconds: 1.02 + Double(number * 7 % 40) / 80,
        url: folder.url.appending(path: "\(number).\(container)"))
    }
  }

  @Test func playUpToTheLastSecondWhenKilled() async throws {
    let folder = try TemporaryFolder()
    let runs = try Self.runs(in: folder, count: 50)
    let results = try await withThrowingTaskGroup(of: String.self) { group in
      var results: [String] = []
      for (number, run) in runs.enumerated() {
        if number >= 8, let result = try await group.next() { results.append(result) }
        group.addTask { try await Self.kill(run) }
      }
      for try await result in group { results.append(result) }
      return results
    }

    #expect(results.count == 50)
    #expect(results.filter { $0 != "whole" } == [])
  }

  /// Records until the process is killed, and says what is wrong with the file.
  private static func kill(_ run: Run) async throws -> String {
    let recorder = try Worker.start([
      worker, "record", run.url.path, run.frames, run.codec,
    ])
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try judge(run, recorder) })
      }
    }
  }

  private static func judge(_ run: Run, _ recorder: RunningWorker) throws -> String {
    let name = "\(run.url.lastPathComponent) \(run.frames) \(run.codec)"
    guard let last = try killOnceRecorded(run, recorder) else {
      return "\(name): too little was recorded"
    }
    let packets = try MoviePrograms.packets(of: run.url)
    let faults = try MoviePrograms.faults(of: run.url)
    guard faults.isEmpty else { return "\(name): \(faults)" }
    guard let end = packets.last?.time, last - end <= 1, packets.count > 1 else {
      return "\(name): of \(last) s there is up to \(packets.last?.time ?? -1)"
    }
    let duration = try MoviePrograms.values([], of: run.url)["duration"] ?? "nothing"
    guard let said = Double(duration), last - said <= 1, said - last < 0.2 else {
      return "\(name): of \(last) s it says \(duration)"
    }
    return "whole"
  }

  /// Kills the process as soon as it says that so much is recorded.
  ///
  /// - Returns: When the last frame came of which it said so.
  private static func killOnceRecorded(_ run: Run, _ recorder: RunningWorker) throws -> Double? {
    var text = ""
    var last: Double?
    var isKilled = false
    while case let data = recorder.output.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      text = lines.last.map(String.init) ?? ""
      for line in lines.dropLast() where line.hasPrefix("frame ") {
        last = Double(line.dropFirst(6))
      }
      guard !isKilled, let last, last >= run.seconds else { continue }
      isKilled = true
      Foundation.kill(recorder.process.processIdentifier, SIGKILL)
    }
    recorder.process.waitUntilExit()
    return isKilled ? last : nil
  }

  /// The pause is what writes the frames, and there is no room for them.
  @Test func tellNothingAfterTheirEnd() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.mp4").path

    let result = try Worker.wait(
      for: Worker.start([
        "/bin/sh", "-c", "trap '' XFSZ; ulimit -f 4; exec \"$@\"", "sh", Self.worker, "pause", path,
      ]))

    #expect(result.text == "start mp4, finish mp4, finish mkv", "\(result)")
    #expect(try folder.names == [])
  }

  @Test(.enabled(if: Worker.canMount), arguments: MovieContainer.all, ["MJPG", "YUYV"])
  func playUpToWhereTheDiskWasFull(container: MovieContainer, frames: String) throws {
    let folder = try TemporaryFolder()
    let disk = folder.folder("disk")
    let name = "a.\(container)"

    let codec = frames == "MJPG" ? "automatic" : "jpeg"
    let result = try Worker.runMounting(
      "mount -t tmpfs -o size=250k tmpfs '\(disk)'; "
        + "'\(Self.worker)' record '\(disk)/\(name)' \(frames) \(codec) 20 | tail -1; "
        + "cp '\(disk)/\(name)' '\(folder.path)/\(name)'")

    #expect(result.text.hasPrefix("diskFull true"), "\(result)")
    let url = folder.url.appending(path: name)
    #expect(try MoviePrograms.packets(of: url).count > 10)
    #expect(try MoviePrograms.faults(of: url) == "")
  }
}
