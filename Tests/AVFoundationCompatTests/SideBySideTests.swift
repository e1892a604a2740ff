import AVFoundationCompat
import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

/// A file that imports `CaptureKitLinux` and `Imaging` besides gets their types, unless it asks for Apple's.
extension PortedCodeTests {
  struct SideBySideTests {
    @Test func theTypeDecides() async throws {
      let studio = try await Studio()
      let device = studio.device
      try device.lockForConfiguration()
      device.activeVideoMinFrameDuration = FrameDuration.thirtieth
      let native = device.activeVideoMinFrameDuration
      let time: CMTime = device.activeVideoMinFrameDuration
      device.activeVideoMinFrameDuration = CMTime.invalid
      device.unlockForConfiguration()

      #expect(native == .thirtieth)
      #expect(time == CMTime(value: 1, timescale: 30))
      let reset: FrameDuration? = device.activeVideoMinFrameDuration
      #expect(reset == nil)
      let (photo, _) = await studio.photo(AVCapturePhotoSettings())
      let image = try photo.image
      let size: CGSize = image.size
      #expect(image.size == PixelSize(width: 320, height: 240))
      #expect(size.width == 320)
    }
  }
}
