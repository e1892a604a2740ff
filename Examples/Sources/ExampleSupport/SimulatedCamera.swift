public import CaptureKitLinux
import CaptureKitMocks
import Imaging

extension CaptureEnvironment {
  /// A machine with one simulated camera: a webcam that looks at its user and needs no turning.
  public static func simulated() -> CaptureEnvironment {
    func format(_ pixels: PixelFormat, _ width: Int, _ height: Int) -> CaptureDevice.Format {
      CaptureDevice.Format(
        pixels, dimensions: VideoDimensions(width: width, height: height),
        frameDurations: [.thirtieth...(.thirtieth)])
    }
    let camera = MockCamera(
      uniqueID: "simulated", name: "Simulated Camera", position: .front, deviceType: .external,
      frames: .testPattern(.mjpeg, width: 1280, height: 720, omitsHuffmanTables: true),
      formats: [
        format(.mjpeg, 1280, 720), format(.mjpeg, 640, 480), format(.yuyv, 640, 480),
        format(.uyvy, 640, 480), format(.nv12, 640, 480), format(.yuv420, 640, 480),
        format(.grey, 640, 480), format(.rgb24, 640, 480), format(.bgr24, 640, 480),
      ])
    return CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
  }
}
