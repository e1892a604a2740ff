import CaptureKitLinux
import CaptureKitMovie
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SwitchedCameraTests {
  /// A camera's last frame may be on its way to the output while another takes its place.
  @Test func takesNoFrameOfAConnectionThatHasGone() async throws {
    let studio = try await MovieStudio()
    let keeper = FrameKeeper()
    try studio.session.add(keeper)
    try await studio.session.start()
    await studio.take(2)
    let frame = try #require(keeper.last.withLock { $0 })
    let old = try #require(studio.movie.connections.first)
    let input = try #require(studio.session.inputs.first)

    try studio.session.configure {
      studio.session.removeInput(input)
      try studio.session.add(try CaptureDeviceInput(device: studio.device))
    }
    studio.movie.connection(old, didReceive: frame)
    let new = try #require(studio.movie.connections.first)
    #expect(new !== old)

    let url = studio.url("switched.mkv")
    async let started = studio.movie.startRecording(to: url)
    while !studio.movie.isRecording { await Task.yield() }
    studio.movie.connection(new, didReceive: frame)
    let movie = try await started.stop()
    #expect(movie.error == nil)
    await studio.session.stop()
  }
}

/// Keeps the last frame.
private final class FrameKeeper: CaptureOutput {
  let last = Mutex<CapturedFrame?>(nil)

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    last.withLock { $0 = frame }
  }
}
