import CaptureKitLinux
import Foundation
import Glibc
import Testing

/// A node that this user may not open. Root passes mode bits: a child gives its rights away first.
@Suite(.inLab(.single, .usb), .timeLimit(.minutes(1)))
struct PermissionLabTests {
  @Test func saysThatTheModeKeepsTheUserOut() async throws {
    try #require(chmod("/dev/video0", 0o600) == 0)
    await #expect(processExitsWith: .success) {
      becomeNobody()
      try expectDenial(naming: "mode")
    }
  }

  @Test func namesTheGroupToJoin() async throws {
    let video = try #require(getgrnam("video")).pointee.gr_gid
    try #require(chown("/dev/video0", 0, video) == 0 && chmod("/dev/video0", 0o660) == 0)
    await #expect(processExitsWith: .success) {
      becomeNobody()
      try expectDenial(naming: "“video”")
    }
    try #require(chown("/dev/video0", 0, 0) == 0 && chmod("/dev/video0", 0o600) == 0)
  }
}

private func becomeNobody() {
  let nobody: uid_t = 65534
  #expect(setgroups(0, nil) == 0 && setgid(nobody) == 0 && setuid(nobody) == 0)
}

private func expectDenial(naming hint: String) throws {
  #expect(CaptureDevice.authorizationStatus(for: .video) == .denied)
  let device = try #require(CaptureDevice.default(for: .video), "a camera that is denied is listed")
  #expect(device.authorization == .denied)
  let attempts: [() throws -> Void] = [
    { _ = try CaptureDeviceInput(device: device) }, { _ = try device.loadFormats() },
    { _ = try CaptureDevice(path: "/dev/video0") },
  ]
  for attempt in attempts {
    let error = #expect(throws: CaptureError.self) { try attempt() }
    #expect(error?.code == .notPermitted)
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains("/dev/video0") && sentence.contains(hint), "\(sentence)")
  }
}
