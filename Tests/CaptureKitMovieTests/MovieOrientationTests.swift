import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)), .enabled(if: MoviePrograms.hasFFmpeg))
struct MovieOrientationTests {
  private func record(
    _ angle: CGFloat, isMirrored: Bool, to name: String
  ) async throws -> (MovieStudio, RecordedMovie) {
    let studio = try await MovieStudio()
    let connection = try #require(studio.movie.connection(with: .video))
    connection.videoRotationAngle = angle
    connection.isVideoMirrored = isMirrored
    try await studio.session.start()
    let movie = try await studio.record(3, to: name)
    await studio.session.stop()
    return (studio, movie)
  }

  /// Degrees counter-clockwise, as ffprobe counts.
  @Test(arguments: ["mp4", "mov"], [0, 90, 180, 270])
  func turnsTracksAsQuickTimeDoes(name: String, angle: Int) async throws {
    let (studio, movie) = try await record(CGFloat(angle), isMirrored: false, to: "a.\(name)")

    let rotation = try MoviePrograms.run([
      "/usr/bin/ffprobe", "-v", "error", "-show_entries", "stream_side_data=rotation", "-of",
      "default=nw=1:nk=1", movie.url.path,
    ]).text
    let expected = [0: "", 90: "-90", 180: "-180", 270: "90"]
    #expect(rotation == expected[angle])
    if MoviePrograms.hasMediaInfo, angle > 0 {
      #expect(try MoviePrograms.mediaInfo("Video;%Rotation%", of: movie.url) == "\(angle).000")
    }
    _ = studio
  }

  @Test(arguments: [0, 90, 180, 270], [false, true])
  func turnsMatroskaTracksByPoseAndTag(angle: Int, isMirrored: Bool) async throws {
    let (studio, movie) = try await record(CGFloat(angle), isMirrored: isMirrored, to: "a.mkv")

    let orientations: [Bool: [Int: ImageOrientation]] = [
      false: [0: .up, 90: .right, 180: .down, 270: .left],
      true: [0: .upMirrored, 90: .leftMirrored, 180: .downMirrored, 270: .rightMirrored],
    ]
    let orientation = try #require(orientations[isMirrored]?[angle])
    let tag = try MoviePrograms.value("ORIENTATION", of: movie.url, section: "stream_tags")
    #expect(tag == (orientation == .up ? "" : "\(orientation.rawValue)"))
    let header = [UInt8](try Data(contentsOf: movie.url).prefix(2000))
    let type = header.place(of: [0x76, 0x71, 0x81], from: 0).map { header[$0 + 3] }
    #expect(type == (orientation == .up ? nil : 0), "rectangular")
    let pose = DisplayMatrix.pose(of: orientation)
    #expect(Self.float(after: [0x76, 0x73], in: header) == (pose.yaw == 0 ? nil : 180))
    #expect(
      Self.float(after: [0x76, 0x75], in: header) == (pose.roll == 0 ? nil : Double(pose.roll)))
    #expect(try MoviePrograms.faults(of: movie.url) == "")
    _ = studio
  }

  /// The float of eight or four bytes that an element holds.
  private static func float(after id: [UInt8], in header: [UInt8]) -> Double? {
    guard let place = header.place(of: id, from: 0) else { return nil }
    let count = Int(header[place + 2] & 0x7F)
    let bits = (0..<count).reduce(UInt64(0)) { $0 << 8 | UInt64(header[place + 3 + $1]) }
    return count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
  }
}
