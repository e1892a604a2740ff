import AVFoundationCompat
import CaptureKitMocks
import Testing

extension PortedCodeTests {
  struct BoothTests {
    @Test(arguments: [false, true])
    func completesWithAPhotoOrNil(isUnplugged: Bool) async throws {
      let camera = MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240))
      let image = try await onMachine(with: [camera]) {
        let booth = Booth()
        let device = try #require(AVCaptureDevice.default(for: .video))
        booth.session.addInput(try AVCaptureDeviceInput(device: device))
        booth.session.addOutput(booth.output)
        booth.session.startRunning()
        if isUnplugged { camera.unplug() }
        defer { booth.session.stopRunning() }
        return await withCheckedContinuation { continuation in
          booth.completion = { continuation.resume(returning: $0) }
          booth.takePhoto()
        }
      }
      guard !isUnplugged else {
        #expect(image == nil)
        return
      }
      let (x, y) = TestPattern(width: 320, height: 240).center(ofBar: 4)
      let pixels = try #require(image).pixelBuffer()
      #expect(try pixels.color(x: x, y: y).isNear(TestPattern.color(ofBar: 4)))
    }
  }
}
