public import CaptureKitLinux
import CaptureKitMocks
import Imaging

extension CaptureEnvironment {
  /// A machine with one simulated camera: a webcam that looks at its user and needs no turning.
  ///
  /// - Parameter hasRearCamera: Whether there is another one, which looks away from the user.
  /// - Returns: The machine.
  public static func simulated(hasRearCamera: Bool = false) -> CaptureEnvironment {
    func format(_ pixels: PixelFormat, _ width: Int, _ height: Int) -> CaptureDevice.Format {
      CaptureDevice.Format(
        pixels, dimensions: VideoDimensions(width: width, height: height),
        frameDurations: [.thirtieth...(.thirtieth)])
    }
    let formats = [
      format(.mjpeg, 1280, 720), format(.mjpeg, 640, 480), format(.yuyv, 640, 480),
      format(.uyvy, 640, 480), format(.nv12, 640, 480), format(.yuv420, 640, 480),
      format(.grey, 640, 480), format(.rgb24, 640, 480), format(.bgr24, 640, 480),
    ]
    func camera(
      _ id: String, _ name: String, _ position: CaptureDevice.Position
    ) -> MockCamera {
      MockCamera(
        uniqueID: id, name: name, position: position, deviceType: .external,
        frames: .testPattern(.mjpeg, width: 1280, height: 720, omitsHuffmanTables: true),
        formats: formats)
    }
    var cameras = [camera("simulated", "Simulated Camera", .front)]
    if hasRearCamera {
      cameras.append(camera("simulated-rear", "Simulated Rear Camera", .back))
    }
    return CaptureEnvironment(backends: [MockBackend(cameras: cameras)])
  }
}
