import CaptureKitLinux
import Foundation
import Glibc
import Testing

/// Cameras that come and go, with and without udev.
@Suite(.inLab(.usb, .udev), .timeLimit(.minutes(1)))
struct HotplugLabTests {
  private let camera = LabCamera()
  private let environment = CaptureEnvironment.current

  @Test func tellsOfAReplugWhenTheCameraCanBeUsed() async throws {
    let first = try #require(try await environment.devices().first)
    var changes = environment.deviceChanges.makeAsyncIterator()

    for _ in 0..<3 {
      let before = try #require(try await environment.devices().first)
      try await camera.tell("unplug")
      #expect(await changes.next() == .disconnected(before))
      #expect(!before.isConnected)
      try await camera.tell("plug")
      let back = try await connected(&changes)
      #expect(back.uniqueID == first.uniqueID && back !== before)
      #expect(try !back.loadFormats().isEmpty)
    }
    #expect(environment.watchError == nil)
    let device = try #require(try await environment.devices().first)
    let photo = try await LabStudio(device).onePhoto()
    #expect(photo.fileDataRepresentation() != nil)
  }

  @Test func tellsOnceThatACameraInUseIsGone() async throws {
    let studio = try LabStudio()
    let notices = NoticeBoard(CaptureDevice.wasDisconnectedNotification, of: studio.device)
    var changes = environment.deviceChanges.makeAsyncIterator()
    try await studio.session.start()
    await studio.tap.frames(2)

    try await camera.tell("unplug")
    #expect(await changes.next() == .disconnected(studio.device))
    try await until("the session has stopped") { !studio.session.isRunning }
    try await camera.tell("plug")
    let back = try await connected(&changes)

    #expect(back.uniqueID == studio.device.uniqueID && back !== studio.device)
    #expect(notices.count(of: CaptureDevice.wasDisconnectedNotification) == 1)
  }

  @Test func takesALostDriverForAnUnplug() async throws {
    let interface = try interfaceName()
    let device = try #require(try await environment.devices().first)
    var changes = environment.deviceChanges.makeAsyncIterator()

    try write(interface, to: "/sys/bus/usb/drivers/uvcvideo/unbind")
    #expect(await changes.next() == .disconnected(device))
    try write(interface, to: "/sys/bus/usb/drivers/uvcvideo/bind")

    let back = try await connected(&changes)
    #expect(back.uniqueID == device.uniqueID && back !== device)
  }

  @Test func takesADeviceThatIsNotAuthorizedForUnplugged() async throws {
    let port = try #require(try interfaceName().split(separator: ":").first)
    let device = try #require(try await environment.devices().first)
    var changes = environment.deviceChanges.makeAsyncIterator()

    try write("0", to: "/sys/bus/usb/devices/\(port)/authorized")
    #expect(await changes.next() == .disconnected(device))
    try write("1", to: "/sys/bus/usb/devices/\(port)/authorized")

    let back = try await connected(&changes)
    #expect(back.uniqueID == device.uniqueID)
  }

  @Test func leavesNeitherThreadNorDescriptor() async throws {
    _ = try await environment.devices()
    let before = try await Belongings.atRest()
    // Several times: Dispatch makes descriptors of its own, and those are not counted.
    for _ in 1...4 {
      var changes: CaptureDeviceChanges.Iterator? = environment.deviceChanges.makeAsyncIterator()
      try await until("somebody watches") { try Belongings.now().threads == ["camera-watch"] }
      #expect(try Belongings.now().descriptors > before.descriptors)
      #expect(changes != nil)
      changes = nil
      try await Belongings.areNoMore(than: before)
    }
  }

  /// udev gives the node to its group some time after the kernel has made it.
  @Test(.inLab(.udev)) func waitsForUdevToLetTheGroupIn() async throws {
    await #expect(processExitsWith: .success) {
      let pipe = try #require(FileHandle(forWritingAtPath: "/run/camera-lab/uvc0.ctl"))
      let video = try #require(getgrnam("video")).pointee.gr_gid
      var groups = [video]
      #expect(setgroups(1, &groups) == 0 && setgid(65534) == 0 && setuid(65534) == 0)
      let environment = CaptureEnvironment.current
      let device = try #require(try await environment.devices().first)
      #expect(device.authorization == .authorized)
      var changes = environment.deviceChanges.makeAsyncIterator()

      try pipe.write(contentsOf: Data("unplug\n".utf8))
      #expect(await changes.next() == .disconnected(device))
      try pipe.write(contentsOf: Data("plug\n".utf8))

      guard case .connected(let back)? = await changes.next() else {
        Issue.record("it did not come back")
        return
      }
      #expect(back.authorization == .authorized)
      #expect(try !back.loadFormats().isEmpty)
    }
  }

  /// The next change, which has to be a camera that can be used.
  private func connected(
    _ changes: inout CaptureDeviceChanges.Iterator
  ) async throws -> CaptureDevice {
    let change = await changes.next()
    guard case .connected(let device)? = change else {
      Issue.record("\(String(describing: change)) instead of a camera that comes")
      throw CaptureError.noDevice
    }
    #expect(device.authorization == .authorized && device.isConnected)
    return device
  }

  /// The camera's control interface, as `1-1:1.0`.
  private func interfaceName() throws -> String {
    let device = try #require(realpath("/sys/class/video4linux/video0/device", nil))
    defer { free(device) }
    return try #require(String(cString: device).split(separator: "/").last.map(String.init))
  }

  private func write(_ text: String, to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }
}
