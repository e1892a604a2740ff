import CameraScreens
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PlaybackTests {
  @Test func playsHoldsAndGoesOn() {
    var playback = Playback(duration: .seconds(10))
    #expect(playback.toggle() == .run(from: .zero, number: 1))
    playback.reach(.seconds(4), number: 1)
    #expect(playback.toggle() == .hold && playback.position == .seconds(4))
    #expect(playback.toggle() == .run(from: .seconds(4), number: 2))
  }

  @Test func beginsAnewAfterTheEnd() {
    var playback = Playback(duration: .seconds(10))
    _ = playback.toggle()
    playback.end(number: 1)
    #expect(!playback.isPlaying && playback.position == .seconds(10))
    #expect(playback.toggle() == .run(from: .zero, number: 2))
  }

  @Test func seeksWithinTheMovie() {
    var playback = Playback(duration: .seconds(3))
    #expect(playback.seek(by: .seconds(2)) == .show(at: .seconds(2)))
    #expect(playback.seek(by: .seconds(2)) == .show(at: .seconds(3)))
    #expect(playback.seek(by: .seconds(-5)) == .show(at: .zero))
    _ = playback.toggle()
    #expect(playback.seek(by: .seconds(2)) == .run(from: .seconds(2), number: 2))
  }

  @Test func hearsNothingOfRunsThatWereReplaced() {
    var playback = Playback(duration: .seconds(10))
    _ = playback.toggle()
    _ = playback.seek(by: .seconds(6))
    playback.reach(.seconds(1), number: 1)
    playback.end(number: 1)
    #expect(playback.isPlaying && playback.position == .seconds(6))
    _ = playback.toggle()
    playback.reach(.seconds(9), number: 2)
    #expect(playback.position == .seconds(6))
  }
}
