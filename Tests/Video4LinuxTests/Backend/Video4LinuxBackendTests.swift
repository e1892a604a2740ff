import CaptureKitLinux
import Imaging
import LinuxSystem
import Testing
import Video4Linux

/// The kernel's cameras behind the public capture protocol, over a kernel that does not exist.
@Suite(.timeLimit(.minutes(1)))
struct Video4LinuxBackendTests {
  private let sysfs: FakeSysfs

  init() throws {
    sysfs = try FakeSysfs()
  }

  private func backend(_ device: FakeDevice = FakeDevice()) -> (FakeKernel, Video4LinuxBackend) {
    let kernel = FakeKernel([sysfs.roots.dev + "/video0": device])
    return (kernel, Video4LinuxBackend(kernel: kernel, roots: sysfs.roots))
  }

  @Test func describesAWebcam() throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "ABC")

    let camera = try #require(try backend().1.devices().first)

    #expect(camera.uniqueID == "usb-046d:0825-ABC")
    #expect(camera.modelID == "046d:0825" && camera.manufacturer == "Lab")
    #expect(camera.deviceType == .external && camera.position == .unspecified)
    #expect(camera.mountingAngle == 0 && camera.authorization == .authorized)
    #expect(camera.nodePath == sysfs.roots.dev + "/video0")
    #expect(camera.settlingTime > .zero)
  }

  @Test(arguments: [
    ("fixed", CaptureDevice.DeviceType.builtInWideAngleCamera), ("unknown", .external),
  ])
  func tellsBuiltInFromExternalByTheBus(removable: String, type: CaptureDevice.DeviceType) throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "ABC", removable: removable)

    #expect(try backend().1.devices().first?.deviceType == type)
  }

  @Test func turnsTheKernelsMountingRound() throws {
    sysfs.add("platform/isp", bus: "platform", nodes: [0])
    var phone = FakeDevice()
    phone.controls = [0x009a_0922: 1, 0x009a_0923: 270]

    let camera = try #require(try backend(phone).1.devices().first)

    #expect(camera.position == .back && camera.mountingAngle == 90)
    #expect(camera.deviceType == .builtInWideAngleCamera)
  }

  @Test func knowsOnlyPathsOfNodes() throws {
    let (_, backend) = backend()

    #expect(try backend.device(atPath: "usb-046d:0825-ABC") == nil)
    #expect { try backend.device(atPath: sysfs.roots.dev + "/video7") } throws: {
      ($0 as? CaptureError)?.code == .noDevice
    }
  }

  @Test(arguments: [Errno.tooManyOpenFiles, .fileTableOverflow, .noMemory])
  func saysThatSomethingHasToBeClosed(errno: Errno) throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "ABC")
    let camera = try #require(try backend().1.devices().first)
    let kernel = FakeKernel(
      [sysfs.roots.dev + "/video0": FakeDevice()], faults: [.every(.open, errno)])
    let backend = Video4LinuxBackend(kernel: kernel, roots: sysfs.roots)

    #expect { try backend.open(camera) } throws: {
      let error = $0 as? CaptureError
      return error?.code == .outOfResources && error?.errno == errno.rawValue
    }
  }

  @Test func doesNotTakeAnotherCameraForTheOneThatWasThere() throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "ABC")
    let (_, first) = backend()
    let camera = try #require(try first.devices().first)
    let other = try FakeSysfs()
    other.addUSB(port: "1-1", nodes: [0], serial: "XYZ")
    let kernel = FakeKernel([other.roots.dev + "/video0": FakeDevice()])
    let second = Video4LinuxBackend(kernel: kernel, roots: other.roots)
    var moved = camera
    moved.nodePath = other.roots.dev + "/video0"

    #expect { try second.open(moved) } throws: { ($0 as? CaptureError)?.code == .disconnected }
    #expect { try second.formats(of: moved) } throws: {
      ($0 as? CaptureError)?.code == .disconnected
    }
    #expect(kernel.openCount == 0)
  }

  @Test func saysDisconnectedOfACameraThatWasThere() throws {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "ABC")
    let (kernel, backend) = backend()
    let camera = try #require(try backend.devices().first)

    kernel.vanish()

    #expect { try backend.open(camera) } throws: {
      ($0 as? CaptureError)?.code == .disconnected
    }
  }
}
