import CaptureKitLinux
import CaptureKitMocks
import CaptureKitMovie
import Foundation
import Imaging
import TestSupport

/// A session with one simulated camera and a movie output, on a clock that stands still.
struct MovieStudio {
  let camera: MockCamera
  let clock = ManualClock()
  let session = CaptureSession()
  let movie = CaptureMovieFileOutput()
  let device: CaptureDevice
  let folder: TemporaryFolder
  private let counter = FrameCounter()

  /// A camera of few small pictures, and a session that is not started.
  init(
    _ camera: MockCamera = MockCamera(frames: .testPattern(.mjpeg, width: 160, height: 120))
  ) async throws {
    self.camera = camera
    folder = try TemporaryFolder()
    let environment = CaptureEnvironment(
      backends: [MockBackend(cameras: [camera], clock: clock)], clock: clock)
    guard let device = try await environment.devices().first else { throw CaptureError.noDevice }
    self.device = device
    try session.add(try CaptureDeviceInput(device: device))
    try session.add(movie)
    try session.add(counter)
  }

  /// A camera that sends pictures of a format.
  init(
    _ format: PixelFormat, width: Int = 160, height: Int = 120,
    range: ColorDescription.Range = .limited, rate: UInt32 = 30
  ) async throws {
    try await self.init(
      MockCamera(
        frames: .testPattern(
          format, width: width, height: height, framesPerSecond: rate, range: range)))
  }

  /// Chooses the camera's first format, which no preset would.
  func chooseFirstFormat() throws {
    try device.lockForConfiguration()
    device.activeFormat = device.formats.first
    device.unlockForConfiguration()
  }

  func url(_ name: String) -> URL { folder.url.appending(path: name) }

  /// Lets the camera take frames; returns when the movie output has them.
  func take(_ frames: Int, rate: Int = 30) async {
    for _ in 0..<frames {
      await clock.waitForWork()
      clock.advance(by: .nanoseconds(1_000_000_000 / rate + 1))
      await counter.next()
    }
  }

  /// Lets time pass in which the camera takes frames, whatever their number; returns when it waits
  /// for the next one.
  func pass(_ duration: Duration) async {
    let end = clock.now.advanced(by: duration)
    while clock.now < end {
      await clock.waitForWork()
      clock.advance(by: .milliseconds(20))
    }
    await clock.waitForWork()
  }

  /// Records so many frames to a file.
  func record(_ frames: Int, to name: String, rate: Int = 30) async throws -> RecordedMovie {
    try await record(to: name) { await take(frames, rate: rate) }
  }

  /// Records what the camera takes while something is done.
  func record(to name: String, while body: () async -> Void) async throws -> RecordedMovie {
    let url = url(name)
    async let started = movie.startRecording(to: url)
    while !movie.isRecording { await Task.yield() }
    await body()
    return try await started.stop()
  }
}

extension MovieStudio {
  /// A camera that sends H.264, again and again from the start.
  init(_ stream: H264Stream) async throws {
    let format = CaptureDevice.Format(
      .h264, dimensions: VideoDimensions(width: 160, height: 120),
      frameDurations: [.thirtieth ... .thirtieth])
    try await self.init(
      MockCamera(
        frames: .generated([format]) { request in
          CapturedFrame(
            compressed: stream.frames[Int(request.sequence) % stream.frames.count], as: .h264,
            dimensions: request.format.dimensions, sequence: request.sequence,
            timestamp: request.timestamp, duration: request.format.frameDuration)
        }))
  }
}

/// Counts the frames that outputs before it in the session have got.
final class FrameCounter: CaptureOutput {
  private let stream: AsyncStream<Void>
  private let tick: AsyncStream<Void>.Continuation

  init() { (stream, tick) = AsyncStream<Void>.makeStream() }

  /// Returns when a frame more has come, or none will.
  func next() async {
    var iterator = stream.makeAsyncIterator()
    await iterator.next()
  }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    tick.yield()
  }

  func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
    for _ in 0..<frame.count { tick.yield() }
  }
}
