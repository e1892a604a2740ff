import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

/// What a user says of a camera's mounting.
@Suite(.timeLimit(.minutes(1)))
struct MountingTests {
  private let camera = MockCamera(uniqueID: "usb-1-SN", position: .front, mountingAngle: 90)
  private let environment: CaptureEnvironment

  init() {
    environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
  }

  private func device() async throws -> CaptureDevice {
    try #require(try await environment.devices().first)
  }

  @Test func isTheMachinesWhereTheUserSaysNothing() async throws {
    let device = try await device()
    #expect(device.mounting == nil)
    #expect(device.position == .front && device.mountingAngle == 90)
  }

  @Test func isTheUsersWhereItIsSaid() async throws {
    let device = try await device()

    device.mounting = CaptureDevice.Mounting(angle: 180)
    #expect(device.position == .front && device.mountingAngle == 180)
    device.mounting = CaptureDevice.Mounting(position: .back)
    #expect(device.position == .back && device.mountingAngle == 90)
    device.mounting = nil
    #expect(device.position == .front && device.mountingAngle == 90)
  }

  @Test func staysOverAReplug() async throws {
    let first = try await device()
    first.mounting = CaptureDevice.Mounting(position: .back, angle: 270)
    camera.unplug()
    camera.replug()

    let second = try await device()

    #expect(second !== first)
    #expect(second.position == .back && second.mountingAngle == 270)
  }

  @Test func findsTheCameraThatHasGotAPortInItsName() async throws {
    environment.mountings = ["usb-1-SN@1-2": CaptureDevice.Mounting(angle: 180)]
    #expect(try await device().mountingAngle == 180)
    environment.mountings["usb-1-SN"] = CaptureDevice.Mounting(angle: 270)
    #expect(try await device().mountingAngle == 270)
  }

  @Test(arguments: [(0, 0), (89, 90), (-90, 270), (450, 90), (179, 180), (.min, 0), (359, 0)])
  func isTakenToTheNearestQuarter(angle: Int, result: Int) async throws {
    let device = try await device()
    device.mounting = CaptureDevice.Mounting(angle: angle)
    #expect(device.mountingAngle == result)
  }

  @Test func decidesWhichCameraIsFoundByPosition() async throws {
    let back = MockCamera(uniqueID: "other", name: "Other")
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera, back])])
    environment.mountings["other"] = CaptureDevice.Mounting(position: .back)
    environment.run {
      let found = CaptureDevice.default(.external, for: .video, position: .back)
      #expect(found?.uniqueID == "other")
    }
  }

  @Test func turnsPhotos() async throws {
    let studio = try await Studio()
    studio.device.mounting = CaptureDevice.Mounting(angle: 90)
    try await studio.session.start()

    let photo = try await studio.photos.capturePhoto(with: CapturePhotoSettings())

    #expect(try photo.image.orientation == .right)
    await studio.session.stop()
  }

  @Test func canBeKeptWithTheProgramsSettings() throws {
    let mountings = ["a": CaptureDevice.Mounting(position: .back, angle: 180)]
    let data = try JSONEncoder().encode(mountings)
    let read = try JSONDecoder().decode([String: CaptureDevice.Mounting].self, from: data)
    #expect(read == mountings)
  }
}
