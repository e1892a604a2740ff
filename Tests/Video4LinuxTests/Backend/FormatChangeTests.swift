import CaptureKitLinux
import LinuxSystem
import Synchronization
import Testing

/// Other formats for cameras that run.
@Suite(.timeLimit(.minutes(1)))
struct FormatChangeTests {
  private final class Log: CaptureOutput {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func connection(
      _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
    ) {
      lines.withLock { $0.append("start \(format.dimensions)") }
    }
    func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
      lines.withLock { lines in
        let line = "frame \(frame.dimensions)"
        if lines.last != line { lines.append(line) }
      }
    }
    func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
      lines.withLock { $0.append("\(frame.reason)") }
    }
    func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
      lines.withLock { $0.append("end") }
    }
  }

  private static let small = VideoDimensions(width: 320, height: 240)
  private static let large = VideoDimensions(width: 640, height: 480)

  private func choose(_ size: VideoDimensions, for device: CaptureDevice) throws {
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    try device.setActiveFormat(device.formats.first { $0.offers(size) })
  }

  @Test func isADiscontinuity() async throws {
    var device = FakeDevice.raw
    device.picture = [UInt8](repeating: 90, count: 640 * 480 * 2)
    let kernel = FakeKernel(device)
    let studio = try await KernelStudio(kernel)
    let log = Log()
    try studio.session.add(log)
    try await studio.session.start()
    while log.all.last != "frame 640x480" { await Task.yield() }

    try studio.session.configure {
      try choose(Self.small, for: studio.device)
      #expect(studio.photos.connections.first?.format?.dimensions == Self.large)
    }
    #expect(studio.photos.connections.first?.format?.dimensions == Self.small)
    while log.all.last != "frame 320x240" { await Task.yield() }
    await studio.session.stop()

    #expect(
      log.all == [
        "start 640x480", "frame 640x480", "end", "start 320x240", "discontinuity",
        "frame 320x240", "end",
      ])
    #expect(kernel.violations.isEmpty)
    await expectNothingLeftSoon(of: kernel)
  }

  @Test(arguments: [FakeCall.streamOn, .setFormat, .requestBuffers])
  func runsOnInTheOldFormatWhereTheNewOneCannotStart(call: FakeCall) async throws {
    let kernel = FakeKernel(.raw)
    let studio = try await KernelStudio(kernel)
    try await studio.session.start()
    kernel.add(.once(call, .noSpace, at: kernel.count(call) + (call == .requestBuffers ? 1 : 0)))
    try choose(Self.small, for: studio.device)

    #expect(throws: CaptureError.self) { try studio.session.configure {} }

    #expect(studio.session.isRunning)
    #expect(studio.device.activeFormat == nil)
    #expect(studio.session.sessionPreset == .high)
    #expect(studio.photos.connections.first?.format?.dimensions == Self.large)
    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())
    #expect(photo.resolvedSettings.photoDimensions == Self.large)
    await studio.session.stop()
  }

  @Test func takesAPresetBackToo() async throws {
    let kernel = FakeKernel(.raw)
    let studio = try await KernelStudio(kernel)
    try await studio.session.start()
    kernel.add(.once(.streamOn, .busy, at: kernel.count(.streamOn)))

    #expect(throws: CaptureError.self) { try studio.session.setSessionPreset(.low) }

    #expect(studio.session.sessionPreset == .high)
    #expect(studio.photos.connections.first?.format?.dimensions == Self.large)
    await studio.session.stop()
  }
}
