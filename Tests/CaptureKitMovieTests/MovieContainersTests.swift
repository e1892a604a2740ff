import CaptureKitLinux
import CaptureKitMovie
import Foundation
import Imaging
import Testing

/// What other programs read of movies in each container, of each kind of frames.
@Suite(.timeLimit(.minutes(1)), .enabled(if: MoviePrograms.hasFFmpeg))
struct MovieContainersTests {
  @Test(arguments: MovieContainer.all)
  func keepsEachJPEGByteForByte(container: MovieContainer) async throws {
    let studio = try await MovieStudio(.mjpeg)
    try await studio.session.start()

    let movie = try await studio.record(45, to: "a.\(container)")

    #expect(movie.error == nil)
    #expect(movie.statistics.writtenFrameCount == 45)
    let packets = try MoviePrograms.packets(of: movie.url)
    #expect(packets.count == 45)
    #expect(try MoviePrograms.value("codec_name", of: movie.url) == "mjpeg")
    #expect(try MoviePrograms.faults(of: movie.url) == "")
    await studio.session.stop()
  }
}
