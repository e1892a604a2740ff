import Foundation
import Testing

/// The cameras that the lab has put into its virtual machine.
///
/// `Tests/CameraLab/run` says which by the environment variable `CAMERA_LAB`; outside of the
/// lab the variable is not set, and every suite that asks for a constellation is skipped.
enum LabConstellation: String, CaseIterable, Sendable {
  /// vivid with one single-planar capture device, `/dev/video0`.
  case single
  /// vivid with one multi-planar capture device, `/dev/video0`.
  case multiplanar
  /// vivid with one HDMI input, `/dev/video0`.
  case hdmi
  /// Two USB cameras that have the same names and the same serial number: `/dev/video0` and
  /// `/dev/video2`; 1 and 3 carry their metadata.
  case twins
  /// Four USB cameras, the first two of them as the twins; even nodes from `/dev/video0`.
  case quad
  /// One USB camera with MJPEG and YUYV, `/dev/video0`.
  case usb
  /// The same, with udev, which gives the node to the group `video` some time after it was made.
  case udev
  /// The same camera, but slow to start by a second, and a driver that hands out damaged frames.
  case nodrop

  /// The constellation of this run, or nil outside of the lab.
  static let current: LabConstellation? =
    ProcessInfo.processInfo.environment["CAMERA_LAB"].flatMap(LabConstellation.init(rawValue:))
}

extension Trait where Self == ConditionTrait {
  /// Runs the suite or test in the camera lab, with these cameras, and nowhere else.
  static func inLab(_ constellations: LabConstellation...) -> Self {
    .enabled("needs the camera lab: Tests/CameraLab/run") {
      LabConstellation.current.map(constellations.contains) ?? false
    }
  }

  /// Runs the suite or test in the camera lab, whatever its cameras.
  static var inLab: Self {
    .enabled("needs the camera lab: Tests/CameraLab/run") { LabConstellation.current != nil }
  }
}
