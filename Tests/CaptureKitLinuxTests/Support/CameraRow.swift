import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Synchronization
import Testing

/// Simulated cameras side by side, on one clock, that look the same but for the size of their pictures.
struct CameraRow {
  static let widths = [32, 64, 96, 128]

  let clock = ManualClock()
  let cameras: [MockCamera]
  let devices: [CaptureDevice]
  let recorder = SetRecorder()

  init(rates: [UInt32]) async throws {
    cameras = zip(rates, Self.widths).map { rate, width in
      MockCamera(
        name: "Twin",
        frames: .testPattern(.yuyv, width: width, height: 32, framesPerSecond: rate))
    }
    let backend = MockBackend(cameras: cameras, clock: clock)
    let environment = CaptureEnvironment(backends: [backend], clock: clock)
    devices = try await environment.devices()
    try #require(devices.count == rates.count)
  }

  /// A session with all cameras, or some, and an output.
  func session(
    _ cameras: [Int]? = nil, output: CaptureVideoDataOutput
  ) throws -> CaptureSession {
    let session = CaptureSession()
    for index in cameras ?? Array(devices.indices) {
      try session.add(try CaptureDeviceInput(device: devices[index]))
    }
    try session.add(output)
    return session
  }

  /// Lets time pass until so many sets have come.
  func pass(waiters: Int? = nil, untilSets count: Int) async {
    await pass(waiters: waiters) { recorder.sets.count >= count }
  }

  /// Lets time pass until something is so; each camera's frames of a moment are handed over before
  /// the next moment comes.
  func pass(waiters: Int? = nil, until isSo: () -> Bool) async {
    while !isSo() {
      await clock.waitForWork(count: waiters ?? cameras.count)
      clock.advance(by: .milliseconds(3))
    }
  }
}

/// Writes sets and drops down.
final class SetRecorder: CaptureDataOutputSynchronizerDelegate, Sendable {
  struct Entry: Sendable {
    let time: HostTime
    /// Of the members, in their order.
    let widths: [Int]
    let stamps: [HostTime]
    let formats: [PixelFormat]
    let missing: [CaptureDevice]
    /// The width of each camera's frame, asked for by the camera.
    let found: [Int?]
  }

  private let state = Mutex<(sets: [Entry], drops: [FrameDropReason: UInt64])>(([], [:]))
  private let devices = Mutex<[CaptureDevice]>([])

  var sets: [Entry] { state.withLock { $0.sets } }
  var drops: [FrameDropReason: UInt64] { state.withLock { $0.drops } }

  /// Whose frames are asked for.
  func look(for devices: [CaptureDevice]) { self.devices.withLock { $0 = devices } }

  func dataOutputSynchronizer(
    _ synchronizer: CaptureDataOutputSynchronizer, didOutput frameSet: CaptureFrameSet
  ) {
    let devices = devices.withLock { $0 }
    let entry = Entry(
      time: frameSet.presentationTime, widths: frameSet.frames.map(\.width),
      stamps: frameSet.frames.map(\.presentationTime),
      formats: frameSet.frames.map(\.pixelFormat), missing: frameSet.missing,
      found: devices.map { frameSet[$0]?.width })
    state.withLock { $0.sets.append(entry) }
  }

  func dataOutputSynchronizer(
    _ synchronizer: CaptureDataOutputSynchronizer, didDrop frame: DroppedFrame,
    from connection: CaptureConnection
  ) {
    state.withLock { $0.drops[frame.reason, default: 0] += frame.count }
  }
}
