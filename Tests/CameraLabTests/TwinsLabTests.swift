import CaptureKitLinux
import Imaging
import Testing

/// Two cameras that are the same in everything but the port.
@Suite(.inLab(.twins), .timeLimit(.minutes(1)))
struct TwinsLabTests {
  @Test func bothTakePhotosInOneSession() async throws {
    let devices = DiscoveryLabTests.cameras
    try #require(devices.count == 2)
    let session = CaptureSession()
    let outputs = [CapturePhotoOutput(), CapturePhotoOutput()]
    for (device, output) in zip(devices, outputs) {
      try device.choose(.mjpeg, LabStudio.smallSize)
      output.settlingTime = .zero
      try session.add(try CaptureDeviceInput(device: device))
      try session.add(output)
    }
    for (device, output) in zip(devices, outputs) {
      #expect(output.connections.count == 2)
      for connection in output.connections {
        connection.isEnabled = connection.input.device === device
      }
    }
    // The second camera sends black pictures, so that each photo tells whose it is.
    try await LabCamera(1).tell("black 1000")
    try await session.start()

    async let one = outputs[0].capturePhoto(
      with: CapturePhotoSettings(timeout: LabStudio.patience))
    async let other = outputs[1].capturePhoto(
      with: CapturePhotoSettings(timeout: LabStudio.patience))
    let photos = try await [one, other]

    await session.stop()
    try await LabCamera(1).tell("black 0")
    #expect(try FrameNumber.read(photos[0]) != nil)
    #expect(try isBlack(photos[1]))
    #expect(session.lastError == nil)
  }

  @Test func oneGoesOnWhenTheOtherIsUnplugged() async throws {
    let devices = DiscoveryLabTests.cameras
    try #require(devices.count == 2)
    let (one, other) = (try LabStudio(devices[0]), try LabStudio(devices[1]))
    try await one.session.start()
    try await other.session.start()
    await other.tap.frames(1)

    try await LabCamera(1).tell("unplug")
    try await until("its session has stopped") { !other.session.isRunning }

    #expect(other.session.lastError?.code == .disconnected)
    #expect(one.session.isRunning && devices[0].isConnected)
    #expect(try await one.photo().fileDataRepresentation() != nil)
    await one.session.stop()
    try await LabCamera(1).tell("plug")
    try await until("both cameras are there") { DiscoveryLabTests.cameras.count == 2 }
  }

  private func isBlack(_ photo: CapturePhoto) throws -> Bool {
    let pixels = try photo.image.pixelBuffer()
    return [(8, 8), (100, 100), (300, 200)].allSatisfy { x, y in
      Colour(of: pixels, x: x, y: y).distance(to: Colour(0, 0, 0)) <= 4
    }
  }
}
