import Foundation
import Testing

/// That the lab itself works: the virtual machine has the cameras that the constellation promises.
@Suite(.inLab, .timeLimit(.minutes(1)))
struct LabSmokeTests {
  @Test func firstCameraHasANode() throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/video0")

    #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test(.inLab(.single, .multiplanar, .hdmi)) func firstCameraIsVivids() throws {
    #expect(try attribute("name", ofNode: "video0").hasPrefix("vivid"))
  }

  @Test(.inLab(.twins, .usb, .nodrop)) func firstCameraIsTheUSBCamera() throws {
    #expect(try attribute("name", ofNode: "video0") == "Lab Camera: Lab Camera")
  }

  @Test(.inLab(.twins)) func twinsShareTheirSerialNumber() throws {
    let serials = try ["video0", "video2"].map { try attribute("device/../serial", ofNode: $0) }

    #expect(serials == ["TWIN", "TWIN"])
  }

  private func attribute(_ name: String, ofNode node: String) throws -> String {
    let text = try String(
      contentsOfFile: "/sys/class/video4linux/\(node)/\(name)", encoding: .utf8)
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
