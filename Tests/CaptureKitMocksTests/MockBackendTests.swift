import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockBackendTests {
  @Test
  func listsItsCamerasAsTheyWereMade() async throws {
    let front = MockCamera(
      uniqueID: "front", name: "Front", position: .front, mountingAngle: 90,
      frames: .testPattern(.mjpeg, width: 1280, height: 720))
    front.settlingTime = .milliseconds(500)
    let side = MockCamera(frames: .testPattern(.yuyv, width: 640, height: 480))
    let devices = await MockBackend(cameras: [front, side]).devices()

    #expect(devices.map(\.uniqueID) == ["front", side.uniqueID])
    let first = try unwrap(devices.first)
    #expect(first.localizedName == "Front")
    #expect(first.position == .front && first.deviceType == .builtInWideAngleCamera)
    #expect(first.mountingAngle == 90)
    #expect(first.settlingTime == .milliseconds(500))
    #expect(first.formats.map(\.description) == ["MJPG 1280x720 30 fps"])
    #expect(devices.last?.position == .unspecified && devices.last?.deviceType == .external)
    #expect(devices.last?.settlingTime == .zero)
    #expect(devices.last?.authorization == .authorized)
  }

  @Test
  func camerasHaveIdentifiersOfTheirOwn() {
    let identifiers = (0..<10).map { _ in MockCamera().uniqueID }
    #expect(Set(identifiers).count == 10)
  }

  @Test
  func findsACameraByItsIdentifier() throws {
    let camera = MockCamera(uniqueID: "one")
    let backend = MockBackend(cameras: [camera])
    #expect(try backend.device(atPath: "one")?.uniqueID == "one")
    #expect(try backend.device(atPath: "/dev/video0") == nil)
  }

  @Test
  func opensNoCameraThatIsNotItsOwn() {
    let stranger = CaptureDeviceDescription(uniqueID: "stranger", localizedName: "")
    #expect(throws: CaptureError.self) { try MockBackend(cameras: []).open(stranger) }
  }

  @Test
  func offersTheFormatsThatItIsGiven() throws {
    let small = VideoDimensions(width: 64, height: 48)
    let large = VideoDimensions(width: 128, height: 96)
    let formats = [
      CaptureDevice.Format(.yuyv, dimensions: small),
      CaptureDevice.Format(.nv12, from: small, through: large, by: small),
    ]
    let camera = MockCamera(
      frames: .testPattern(.yuyv, width: 64, height: 48), formats: formats)
    let clock = ManualClock()
    let backend = MockBackend(cameras: [camera], clock: clock)
    let stream = try backend.open(
      CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: ""))

    try stream.start(CaptureFormat(pixelFormat: .nv12, dimensions: large))
    clock.advance(by: .seconds(1))

    let frame = try unwrap(try stream.nextFrame(before: .now))
    #expect(frame.pixelFormat == .nv12 && frame.dimensions == large)
    #expect(frame.number == 0)
  }

  @Test
  func showsFramesOfAClosure() throws {
    let layout = try unwrap(PixelLayout(format: .grey, width: 2, height: 1))
    let format = CaptureDevice.Format(
      .grey, dimensions: VideoDimensions(width: 2, height: 1),
      frameDurations: [.thirtieth...(.thirtieth)])
    let rig = try Rig(
      script: [.shortFrame(at: 1), .blackFrames(first: 1)],
      frames: .generated([format]) { request in
        guard request.sequence < 3 else { throw Missing() }
        return CapturedFrame(
          bytes: [UInt8(request.sequence), 255], layout: layout, sequence: request.sequence,
          timestamp: request.timestamp)
      })
    try rig.start()
    #expect(try rig.frames(3).map { $0?.copy } == [[16, 16], [1], [2, 255]])
    #expect(throws: CaptureError.self) { try rig.next() }
  }
}
