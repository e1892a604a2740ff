import Dispatch
import Synchronization

/// Sets a camera's exposure for each photo of a bracket, and puts it back.
///
/// Controls are set on a queue of its own, since a camera may take its time to answer.
final class ExposureBracket: PhotoPreparation {
  /// How long a picture may take to follow its controls.
  private static let settling = Duration.seconds(1)

  private let device: CaptureDevice
  private let steps: [CaptureBracketedStillImageSettings]
  private let queue = DispatchQueue(label: "CaptureKitLinux.photo.controls")
  private let before = Mutex<[CaptureControl.ID: CaptureControl.Value]?>(nil)

  init(_ steps: [CaptureBracketedStillImageSettings], of device: CaptureDevice) {
    self.steps = steps
    self.device = device
  }

  var isForEachPhoto: Bool { true }

  func prepare(
    photo: Int, then completion: @escaping @Sendable (Result<Duration, CaptureError>) -> Void
  ) {
    queue.async { [self] in
      do {
        try set(steps[photo - 1])
        completion(.success(Self.settling))
      } catch {
        completion(.failure(.wrapping(error)))
      }
    }
  }

  func restore(then completion: @escaping @Sendable (Duration) -> Void) {
    queue.async { [self] in
      restoreControls()
      completion(Self.settling)
    }
  }

  private func set(_ step: CaptureBracketedStillImageSettings) throws {
    let controls = Dictionary(
      try device.loadControls().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    if before.withLock({ $0 == nil }) {
      let ids = CaptureBracketedStillImageSettings.controlIDs.filter {
        controls[$0].map { $0.isReadable && $0.isWritable } ?? false
      }
      let values = try device.values(of: ids)
      before.withLock { $0 = values }
    }
    try device.applyValues(step.controlSettings(of: controls, camera: device.localizedName))
  }

  /// What is governed first, while it is free still; then what governs it. A camera that is gone refuses all.
  private func restoreControls() {
    guard let before = before.withLock({ $0 }) else { return }
    let changed =
      (try? device.values(of: Array(before.keys)).filter { before[$0.key] != $0.value }) ?? [:]
    let (governors, others) = (
      changed.keys.filter(ControlGovernor.isGovernor),
      changed.keys.filter { !ControlGovernor.isGovernor($0) }
    )
    for id in others + governors {
      guard let value = before[id] else { continue }
      try? device.withControls { try $0.set([CaptureControl.Setting(id, value)]) }
    }
  }
}
