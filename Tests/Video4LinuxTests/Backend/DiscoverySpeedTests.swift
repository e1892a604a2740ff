import CaptureKitLinux
import LinuxSystem
import TestSupport
import Testing
import Video4Linux

/// What finding many cameras costs: the questions that their drivers are asked, and the time beside
/// them.
///
/// The time is printed, not judged: what is judged is the benchmark `discovery`.
@Suite(.timeLimit(.minutes(1)))
struct DiscoverySpeedTests {
  private static let cameraCount = 8
  private static let formatCount = 100
  private static let pixelFormats = [FourCC.yuyv, .mjpg, .nv12, .grey]

  private static var device: FakeDevice {
    var device = FakeDevice()
    let sizes = (1...formatCount / pixelFormats.count).map {
      FrameSize(width: UInt32(64 * $0), height: UInt32(48 * $0))
    }
    device.formats = pixelFormats.map {
      FakeDevice.Format(fourcc: $0, sizes: .discrete(sizes), intervals: .usual)
    }
    return device
  }

  private let sysfs: FakeSysfs
  private let kernel: FakeKernel

  init() throws {
    sysfs = try FakeSysfs()
    var devices: [String: FakeDevice] = [:]
    for number in 0..<Self.cameraCount {
      sysfs.addUSB(port: "1-\(number + 1)", nodes: [number], serial: "\(number)")
      devices["\(sysfs.roots.dev)/video\(number)"] = Self.device
    }
    kernel = FakeKernel(devices)
  }

  private func find() throws -> [CaptureDevice] {
    let backend = Video4LinuxBackend(kernel: kernel, roots: sysfs.roots)
    return CaptureEnvironment(backends: [backend]).run {
      CaptureDevice.DiscoverySession(
        deviceTypes: [.external], mediaType: .video, position: .unspecified
      ).devices
    }
  }

  @Test func asksForFormatsWhenTheyAreNeededAndOnce() throws {
    let devices = try find()

    #expect(devices.count == Self.cameraCount)
    #expect(kernel.count(.enumerateFrameSizes) == 0)
    #expect(kernel.count(.open) == Self.cameraCount && kernel.openCount == 0)
    #expect(kernel.callCount <= 40 * Self.cameraCount)

    let before = kernel.callCount
    for device in devices { #expect(try device.loadFormats().count == Self.formatCount) }

    // Each list, and the question after its last entry.
    let (kinds, sizes) = (Self.pixelFormats.count, Self.formatCount)
    let rates = 3
    #expect(kernel.count(.enumerateFrameSizes) == (sizes + kinds) * Self.cameraCount)
    #expect(kernel.count(.enumerateFrameIntervals) <= sizes * (rates + 1) * Self.cameraCount)
    #expect(kernel.count(.open) == 2 * Self.cameraCount && kernel.openCount == 0)
    let lists = (kinds + 1 + sizes + kinds + sizes * (rates + 1)) * Self.cameraCount
    #expect(kernel.callCount - before <= lists + 40 * Self.cameraCount)

    let after = kernel.callCount
    for device in devices { #expect(try device.loadFormats().count == Self.formatCount) }
    #expect(kernel.callCount == after)
  }

  @Test func saysHowLongItTakes() throws {
    let times = try (0..<2).map { _ in
      try ContinuousClock().measure {
        let counts = try find().map { try $0.loadFormats().count }
        #expect(counts == Array(repeating: Self.formatCount, count: Self.cameraCount))
      }
    }
    print("discovery through the fake kernel: \(times.min() ?? .zero)")
  }
}
