import CaptureKitLinux
import CaptureKitMocks
import Imaging

/// A device that does not exist: a camera at its front and one at its back, and a way to turn it.
final class Simulation {
  static let hint = "The cameras are simulated · R turns the device · U unplugs the camera"
  let orientation = ManualDeviceOrientation()
  private let front = MockCamera(
    name: "Simulated Front Camera", position: .front,
    frames: .testPattern(.mjpeg, width: 1280, height: 720))
  private let back = MockCamera(
    name: "Simulated Back Camera", position: .back,
    frames: .testPattern(.yuyv, width: 640, height: 480))
  private var isUnplugged = false

  /// Puts the cameras in the place of the machine's.
  func begin() {
    // The one at the back is listed first, as phones do: the front one has to be chosen.
    CaptureEnvironment.default = CaptureEnvironment(
      backends: [MockBackend(cameras: [back, front])])
  }

  /// Turns the device a quarter to the left.
  func turn() {
    let turns: [DeviceOrientation: DeviceOrientation] = [
      .portrait: .landscapeLeft, .landscapeLeft: .portraitUpsideDown,
      .portraitUpsideDown: .landscapeRight,
    ]
    orientation.orientation = turns[orientation.orientation] ?? .portrait
  }

  /// Unplugs the front camera, or plugs it in again.
  func togglePlug() {
    if isUnplugged { front.replug() } else { front.unplug() }
    isUnplugged.toggle()
  }
}
