import CaptureKitLinux
import CaptureKitMocks
import LinuxSystem
import Synchronization
import Testing

/// The last step for a camera that hangs: a reset of its USB device.
@Suite(.timeLimit(.minutes(1)))
struct USBResetTests {
  private let sysfs: FakeSysfs
  private let kernel: FakeKernel
  private let backend: Video4LinuxBackend

  init() throws {
    sysfs = try FakeSysfs()
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "ABC", address: (1, 14))
    kernel = FakeKernel([
      sysfs.roots.dev + "/video0": FakeDevice.raw,
      sysfs.roots.dev + "/bus/usb/001/014": FakeDevice(),
    ])
    backend = Video4LinuxBackend(kernel: kernel, roots: sysfs.roots)
  }

  private func camera() throws -> CaptureDeviceDescription {
    try #require(try backend.devices().first)
  }

  @Test func isDoneByTheNodeOfTheBus() throws {
    try backend.reset(camera())

    #expect(kernel.count(.resetUSBDevice) == 1)
    #expect(kernel.openCount == 0 && kernel.violations.isEmpty)
  }

  @Test(arguments: [Errno.accessDenied, .notPermitted])
  func saysWhichRightIsMissing(errno: Errno) throws {
    let camera = try camera()
    kernel.add(.every(.open, errno))

    let error = #expect(throws: CaptureError.self) { try backend.reset(camera) }

    #expect(error?.code == .notPermitted && error?.errno == errno.rawValue)
    #expect(error?.description.contains("/bus/usb/001/014: let a udev rule") == true)
  }

  @Test(arguments: [(FakeCall.open, Errno.noEntry), (.resetUSBDevice, .noDevice)])
  func saysThatItWasInVain(call: FakeCall, errno: Errno) throws {
    let camera = try camera()
    kernel.add(.every(call, errno))

    let error = #expect(throws: CaptureError.self) { try backend.reset(camera) }

    #expect(error?.code == .streamFailed && error?.errno == errno.rawValue)
    #expect(kernel.openCount == 0)
  }

  @Test func isRefusedWhereTheCameraIsAtNoUSBPort() throws {
    var camera = CaptureDeviceDescription(uniqueID: "platform-isp", localizedName: "Sensor")
    camera.nodePath = sysfs.roots.dev + "/video7"

    let error = #expect(throws: CaptureError.self) { try backend.reset(camera) }

    #expect(error?.code == .streamFailed)
    #expect(kernel.count(.resetUSBDevice) == 0)
  }

  @Test func isRefusedWhereAnotherCameraHasTheNode() throws {
    var other = CaptureDeviceDescription(uniqueID: "usb-046d:0825-XYZ", localizedName: "Other")
    other.nodePath = sysfs.roots.dev + "/video0"

    let error = #expect(throws: CaptureError.self) { try backend.reset(other) }

    #expect(error?.code == .disconnected)
    #expect(kernel.count(.resetUSBDevice) == 0)
  }

  @Test func bringsAHangingCameraBack() async throws {
    let clock = ManualClock()
    let device = try #require(
      try await CaptureEnvironment(backends: [backend], clock: clock).devices().first)
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    try session.add(CapturePhotoOutput())
    session.recovery.resetsUSBDevice = true
    try await session.start()
    kernel.before(.resetUSBDevice) { [kernel] in kernel.removeFaults() }
    kernel.add(.every(.dequeueBuffer, .brokenPipe))

    while session.statistics.usbResets == 0 || session.state != .running {
      clock.advance(by: .milliseconds(10))
      await Task.yield()
    }

    #expect(kernel.count(.resetUSBDevice) == 1)
    #expect(session.statistics.restarts == 2 && session.statistics.reopens == 3)
    await session.stop()
  }
}
