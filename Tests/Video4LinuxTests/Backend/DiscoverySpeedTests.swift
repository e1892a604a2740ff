import CaptureKitLinux
import LinuxSystem
import TestSupport
import Testing
import Video4Linux

/// What finding many cameras costs, the driver's own time left out.
///
/// The figure that counts is that of an optimized build, `swift test -c release -Xswiftc -enable-testing`; with Swift 6.3,
/// whose optimizer crashes on tests of other modules, of a manifest without their targets.
@Suite(.timeLimit(.minutes(1)))
struct DiscoverySpeedTests {
  private static let cameraCount = 8
  private static let formatCount = 100
  #if DEBUG
    private static let roundCount = 2
  #else
    private static let roundCount = 50
  #endif

  private static var device: FakeDevice {
    var device = FakeDevice()
    let sizes = (1...formatCount / 4).map {
      FrameSize(width: UInt32(64 * $0), height: UInt32(48 * $0))
    }
    device.formats = [FourCC.yuyv, .mjpg, .nv12, .grey].map {
      FakeDevice.Format(fourcc: $0, sizes: .discrete(sizes), intervals: .usual)
    }
    return device
  }

  @Test func findsManyCamerasWithManyFormatsQuickly() throws {
    let sysfs = try FakeSysfs()
    var devices: [String: FakeDevice] = [:]
    for number in 0..<Self.cameraCount {
      sysfs.addUSB(port: "1-\(number + 1)", nodes: [number], serial: "\(number)")
      devices["\(sysfs.roots.dev)/video\(number)"] = Self.device
    }
    let kernel = FakeKernel(devices)

    let times = try (0..<Self.roundCount).map { _ in
      let environment = CaptureEnvironment(backends: [
        Video4LinuxBackend(kernel: kernel, roots: sysfs.roots)
      ])
      return try ContinuousClock().measure {
        let formats = try environment.run {
          try CaptureDevice.DiscoverySession(
            deviceTypes: [.external], mediaType: .video, position: .unspecified
          ).devices.map { try $0.loadFormats() }
        }
        #expect(formats.map(\.count) == Array(repeating: Self.formatCount, count: Self.cameraCount))
      }
    }.sorted()

    print("discovery through the fake kernel: \(times[times.count / 2]) median")
    #if !DEBUG
      #expect(times[times.count / 2] <= .milliseconds(20))
    #endif
  }
}
