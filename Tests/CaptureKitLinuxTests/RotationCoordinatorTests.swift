import CaptureKitMocks
import Foundation
import Synchronization
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct RotationCoordinatorTests {
  typealias Coordinator = CaptureDevice.RotationCoordinator

  static func device(
    _ position: CaptureDevice.Position, mounting: Int = 0,
    type: CaptureDevice.DeviceType = .builtInWideAngleCamera
  ) -> CaptureDevice {
    var description = CaptureDeviceDescription(uniqueID: "camera", localizedName: "Camera")
    description.position = position
    description.mountingAngle = mounting
    description.deviceType = type
    let backend = MockBackend(cameras: [])
    return CaptureDevice(
      description: description, backend: backend,
      environment: CaptureEnvironment(backends: [backend]))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var position: CaptureDevice.Position
    var mounting: Int
    var type = CaptureDevice.DeviceType.builtInWideAngleCamera
    /// For portrait, upside-down, landscape-left and landscape-right, in this order.
    var angles: [CGFloat]
    var testDescription: String { "\(position), mounting \(mounting), \(type.rawValue)" }
  }

  static let held: [DeviceOrientation] = [
    .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight,
  ]
  static let table: [Row] = [
    Row(position: .front, mounting: 0, angles: [0, 180, 90, 270]),
    Row(position: .unspecified, mounting: 0, angles: [0, 180, 90, 270]),
    Row(position: .back, mounting: 0, angles: [0, 180, 270, 90]),
    Row(position: .front, mounting: 270, angles: [270, 90, 0, 180]),
    Row(position: .back, mounting: 90, angles: [90, 270, 0, 180]),
    Row(position: .unspecified, mounting: 180, type: .external, angles: [180, 180, 180, 180]),
    Row(position: .back, mounting: 0, type: .external, angles: [0, 0, 0, 0]),
  ]

  @Test(arguments: table)
  func levelsTheHorizon(row: Row) {
    let source = ManualDeviceOrientation()
    let device = Self.device(row.position, mounting: row.mounting, type: row.type)
    let coordinator = Coordinator(device: device, orientation: source)

    for (orientation, angle) in zip(Self.held, row.angles) {
      source.orientation = orientation
      #expect(coordinator.videoRotationAngleForHorizonLevelCapture == angle, "\(orientation)")
      #expect(coordinator.videoRotationAngleForHorizonLevelPreview == angle, "\(orientation)")
    }
  }

  @Test func startsWithHowTheDeviceIsHeld() {
    let coordinator = Coordinator(
      device: Self.device(.back), orientation: ManualDeviceOrientation(.landscapeRight))

    #expect(coordinator.angles == Coordinator.Angles(capture: 90, preview: 90))
  }

  @Test(arguments: [DeviceOrientation.faceUp, .faceDown, .unknown])
  func keepsTheAngleWhileTheDeviceLies(orientation: DeviceOrientation) {
    let source = ManualDeviceOrientation(.landscapeLeft)
    let coordinator = Coordinator(device: Self.device(.front), orientation: source)

    source.orientation = orientation

    #expect(coordinator.videoRotationAngleForHorizonLevelCapture == 90)
  }

  @Test func turnsThePreviewWithTheInterfaceOnly() {
    let source = ManualDeviceOrientation()
    let coordinator = Coordinator(
      device: Self.device(.front, mounting: 90), orientation: source, interface: .fixed(.portrait))

    source.orientation = .landscapeLeft
    #expect(coordinator.angles == Coordinator.Angles(capture: 180, preview: 90))
    coordinator.interface = .fixed(.landscapeLeft)
    #expect(coordinator.angles == Coordinator.Angles(capture: 180, preview: 0))
    coordinator.interface = .followsDevice
    #expect(coordinator.angles == Coordinator.Angles(capture: 180, preview: 180))
  }

  @Test func tellsEachChangeOnce() {
    let source = ManualDeviceOrientation()
    let coordinator = Coordinator(device: Self.device(.front), orientation: source)
    let told = Mutex<[CGFloat]>([])
    let observation = coordinator.observe { angles in told.withLock { $0.append(angles.capture) } }

    source.orientation = .faceUp
    source.orientation = .landscapeLeft
    coordinator.interface = .followsDevice
    source.orientation = .unknown
    source.orientation = .portrait
    observation.invalidate()
    source.orientation = .landscapeRight

    #expect(told.withLock { $0 } == [0, 90, 0])
  }

  @Test func isASequenceWhileItExists() async {
    let source = ManualDeviceOrientation()
    let coordinator = Coordinator(device: Self.device(.back), orientation: source)
    var changes = coordinator.angleChanges.makeAsyncIterator()

    #expect(await changes.next()?.capture == 0)
    source.orientation = .landscapeLeft
    #expect(await changes.next()?.capture == 270)
  }

  @Test func letsTheSensorRestOnceItIsGone() {
    let source = ObservedOrientation()
    var coordinator: Coordinator? = Coordinator(device: Self.device(.back), orientation: source)
    #expect(source.observerCount == 1)

    withExtendedLifetime(coordinator) {}
    coordinator = nil

    #expect(source.observerCount == 0)
  }
}

/// Counts who listens.
private final class ObservedOrientation: DeviceOrientationSource {
  private let count = Mutex(0)
  var observerCount: Int { count.withLock { $0 } }
  var orientation: DeviceOrientation { .portrait }

  func observe(
    _ handler: @escaping @Sendable (DeviceOrientation) -> Void
  ) -> CaptureObservation {
    count.withLock { $0 += 1 }
    return CaptureObservation { self.count.withLock { $0 -= 1 } }
  }
}
