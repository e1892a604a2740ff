import CaptureKitLinux
import Foundation
import Testing

/// Cameras by their nodes' paths.
@Suite(.inLab, .timeLimit(.minutes(1)))
struct PathLabTests {
  @Test func opensANode() throws {
    let device = try CaptureDevice(path: "/dev/video0")

    #expect(device.uniqueID == CaptureDevice.default(for: .video)?.uniqueID)
    #expect(device.nodePath == "/dev/video0")
    #expect(!device.formats.isEmpty)
  }

  @Test func followsALink() throws {
    let link = "/tmp/camera-\(UUID().uuidString)"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "/dev/video0")
    defer { try? FileManager.default.removeItem(atPath: link) }

    let device = try CaptureDevice(path: link)

    #expect(device.uniqueID == CaptureDevice.default(for: .video)?.uniqueID)
  }

  @Test(.inLab(.usb, .twins)) func refusesAMetadataNode() {
    #expect(code(ofOpening: "/dev/video1") == .notACamera)
  }

  @Test(arguments: ["/dev/null", "/dev", "/etc/passwd"])
  func refusesWhatIsNoCamera(path: String) {
    #expect(code(ofOpening: path) == .notACamera)
  }

  @Test func saysWhenNothingIsThere() {
    #expect(code(ofOpening: "/dev/video9") == .noDevice)
  }

  private func code(ofOpening path: String) -> CaptureError.Code? {
    do {
      _ = try CaptureDevice(path: path)
      return nil
    } catch let error as CaptureError {
      #expect("\(error)".contains(path))
      return error.code
    } catch {
      return nil
    }
  }
}
