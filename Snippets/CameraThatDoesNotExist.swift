// A test of capture code where no camera is.

import CaptureKitLinux
import CaptureKitMocks
import Imaging

func theCodeUnderTest() async throws {
  guard CaptureDevice.default(for: .video) != nil else { throw CaptureError.noDevice }
}

// snippet.show
let camera = MockCamera(position: .front, frames: .testPattern(.mjpeg, width: 1280, height: 720))
camera.script = [.unplug(afterFrame: 30), .replug(after: .seconds(2))]

try await CaptureEnvironment(backends: [MockBackend(cameras: [camera])]).run {
  try await theCodeUnderTest()  // it asks for .default(for: .video) as always
}
