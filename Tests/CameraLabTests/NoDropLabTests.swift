import CaptureKitLinux
import Imaging
import Testing

/// A driver that hands out what it knows to be bad, and a camera that is slow to wake.
@Suite(.inLab(.nodrop), .timeLimit(.minutes(1)))
struct NoDropLabTests {
  @Test func countsTheFramesThatTheDriverMarks() async throws {
    try await LabCamera().tell("error 3")
    let studio = try LabStudio(.yuyv)

    _ = try await studio.onePhoto()

    #expect(studio.session.statistics.damaged == 3)
    #expect(studio.session.statistics.delivered > 0)
  }

  @Test func waitsForASlowFirstFrame() async throws {
    let studio = try LabStudio()
    let start = ContinuousClock.now
    try await studio.session.start()

    let photo = try await studio.photo()

    await studio.session.stop()
    #expect(ContinuousClock.now - start >= .seconds(1))
    #expect(try FrameNumber.read(photo) == 0)
  }
}
