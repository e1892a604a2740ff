import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@testable import CaptureKitMovie

/// A writer that does not keep up: the camera goes on, and what is lost is counted.
@Suite(.timeLimit(.minutes(1)), .enabled(if: LibAVEncoder.installed != nil))
struct BackPressureTests {
  /// Noise, which takes an encoder far longer than a camera that is not waited for.
  private static func noise() throws -> (PixelLayout, [UInt8]) {
    let layout = try #require(PixelLayout(format: .yuyv, width: 1920, height: 1080))
    var state: UInt64 = 1
    var bytes = [UInt8](repeating: 0, count: layout.byteCount(ofBlock: 0))
    for place in stride(from: 0, to: bytes.count - 8, by: 8) {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      for part in 0..<8 {
        bytes[place + part] = UInt8(truncatingIfNeeded: state >> (8 * UInt64(part)))
      }
    }
    return (layout, bytes)
  }

  @Test func dropsFramesAndCountsThem() async throws {
    let (layout, bytes) = try Self.noise()
    let format = CaptureDevice.Format(
      .yuyv, dimensions: VideoDimensions(width: 1920, height: 1080),
      frameDurations: [.thirtieth ... .thirtieth])
    let studio = try await MovieStudio(
      MockCamera(
        frames: .generated([format]) { request in
          CapturedFrame(
            bytes: bytes, layout: layout, sequence: request.sequence, timestamp: request.timestamp,
            duration: .thirtieth)
        }))
    studio.movie.settings = MovieSettings(codec: .h264)
    try await studio.session.start()

    let movie = try await studio.record(60, to: "a.mkv")

    let statistics = movie.statistics
    let late = try #require(statistics.droppedFrameCounts[.late])
    #expect(statistics.writtenFrameCount + late == 60)
    #expect(statistics.writtenFrameCount >= 16)
    #expect(studio.session.statistics.late == late)
    #expect(movie.error == nil)
    await studio.session.stop()
  }
}
