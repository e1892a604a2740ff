import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import Testing

/// Cameras at one bus that has no room for all of them as they are.
@Suite(.timeLimit(.minutes(1)))
struct SessionBandwidthTests {
  private struct Bench {
    static let size = VideoDimensions(width: 160, height: 120)
    /// Bytes a second of YUYV in this size.
    static let raw = 160 * 120 * 2 * 30

    let cameras: [MockCamera]
    let devices: [CaptureDevice]

    init(room: Int, _ pixelFormats: PixelFormat...) async throws {
      let bus = MockBus("the hub under the desk", bandwidth: room)
      let (fast, slow) = (
        try #require(FrameDuration.framesPerSecond(30)),
        try #require(FrameDuration.framesPerSecond(10))
      )
      let formats = pixelFormats.map {
        CaptureDevice.Format($0, dimensions: Self.size, frameDurations: [fast...fast, slow...slow])
      }
      cameras = ["Left", "Right"].map { name in
        MockCamera(
          name: name, frames: .testPattern(.yuyv, width: 160, height: 120), formats: formats)
      }
      for camera in cameras { camera.bus = bus }
      devices = try await CaptureEnvironment(backends: [MockBackend(cameras: cameras)]).devices()
    }

    func session(_ index: Int) throws -> CaptureSession {
      let session = CaptureSession()
      try session.add(try CaptureDeviceInput(device: devices[index]))
      try session.add(CaptureVideoDataOutput())
      return session
    }
  }

  @Test func theSecondTakesLessBeforeItIsRefused() async throws {
    let bench = try await Bench(room: Bench.raw * 3 / 2, .yuyv, .mjpeg)
    let sessions = [try bench.session(0), try bench.session(1)]
    let told = Mutex<[CaptureDiagnostic]>([])
    sessions[1].diagnosticHandler = { one in told.withLock { $0.append(one) } }
    for session in sessions { try await session.start() }

    #expect(sessions.map { $0.connections[0].format?.pixelFormat } == [.yuyv, .mjpeg])
    #expect(bench.devices[1].busLoad?.holders == [.init(name: "Left", bandwidth: Bench.raw)])
    // It was not even tried.
    #expect(bench.cameras[1].counters.started == 1)
    for session in sessions { await session.stop() }
    // Told on a queue; a busy machine may have more to tell.
    let reduced = { told.withLock { $0.filter { $0.code == .bandwidthReduced } } }
    while reduced().isEmpty { await Task.yield() }
    #expect(reduced().count == 1)
    #expect(reduced().first?.error?.description.contains("held by Left") == true)
    #expect(bench.devices[1].busLoad?.holders == [])
  }

  @Test func aChosenFormatIsRefusedWithTheWayOut() async throws {
    let bench = try await Bench(room: Bench.raw * 3 / 2, .yuyv, .mjpeg)
    let sessions = [try bench.session(0), try bench.session(1)]
    try await sessions[0].start()
    let device = bench.devices[1]
    try device.lockForConfiguration()
    try device.setActiveFormat(device.formats[0])
    device.unlockForConfiguration()

    let error = await #expect(throws: CaptureError.self) { try await sessions[1].start() }

    #expect(error?.code == .usbBandwidth && !sessions[1].isRunning)
    let sentence = error?.description ?? ""
    for part in [
      "Right", "the hub under the desk", "held by Left", "MJPG 160x120", "another USB port",
      "YUYV 160x120 at 10 frames a second",
    ] { #expect(sentence.contains(part), "\(sentence)") }
    #expect(bench.cameras[1].counters.started == 0)
    #expect(bench.cameras[1].counters.opened == bench.cameras[1].counters.closed)

    // The way out.
    await sessions[0].stop()
    try await sessions[1].start()
    await sessions[1].stop()
  }

  @Test func oneSessionIsToldTheSame() async throws {
    let bench = try await Bench(room: Bench.raw, .yuyv)
    let session = try bench.session(0)
    try session.add(try CaptureDeviceInput(device: bench.devices[1]))
    let error = await #expect(throws: CaptureError.self) { try await session.start() }
    #expect(error?.code == .usbBandwidth && error?.description.contains("Right") == true)
    #expect(!session.isRunning && bench.devices[0].busLoad?.holders == [])
  }

  @Test func theDriversRefusalSaysTheSame() async throws {
    let bench = try await Bench(room: Bench.raw * 9, .yuyv, .mjpeg)
    let sessions = [try bench.session(0), try bench.session(1)]
    try await sessions[0].start()
    bench.cameras[1].script = [.noBandwidth(for: .yuyv)]
    let device = bench.devices[1]
    try device.lockForConfiguration()
    try device.setActiveFormat(device.formats[0])
    device.unlockForConfiguration()

    let error = await #expect(throws: CaptureError.self) { try await sessions[1].start() }

    #expect(error?.description.contains("held by Left") == true)
    #expect(error?.description.contains("Choose MJPG 160x120") == true)
    await sessions[0].stop()
  }

  @Test func aCameraThatWentHoldsNothing() async throws {
    let bench = try await Bench(room: Bench.raw, .yuyv)
    let sessions = [try bench.session(0), try bench.session(1)]
    try await sessions[0].start()
    bench.cameras[0].unplug()
    while sessions[0].isRunning { try await Task.sleep(for: .milliseconds(5)) }
    try await sessions[1].start()
    #expect(sessions[1].isRunning)
    await sessions[1].stop()
  }
}
