import Dispatch
import Synchronization

/// Sets a camera's exposure for each photo of a bracket, and puts it back.
///
/// Controls are set on a queue of its own, since a camera may take its time to answer.
final class ExposureBracket: PhotoPreparation {
  /// How long a picture may take to follow its controls.
  private static let settling = Duration.seconds(1)
  /// How long a camera may take to put its controls back, before the photos are over without that.
  private static let patience = Duration.seconds(10)

  private let device: CaptureDevice
  private let steps: [CaptureBracketedStillImageSettings]
  private let queue = DispatchQueue(label: "CaptureKitLinux.photo.controls")
  private let state = Mutex(State())

  private struct State {
    var before: [CaptureControl.ID: CaptureControl.Value]?
    /// Whether the photos are over, so that nothing may be changed any more.
    var isOver = false
  }

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
        guard !state.withLock({ $0.isOver }) else { throw CaptureError(.stopped) }
        try set(steps[photo - 1])
        completion(.success(Self.settling))
      } catch {
        completion(.failure(.wrapping(error)))
      }
    }
  }

  func restore(then completion: @escaping @Sendable (Duration) -> Void) {
    state.withLock { $0.isOver = true }
    let answer = Answer(completion)
    let clock = device.environment.clock
    let alarm = clock.scheduleAlarm(at: clock.now.advanced(by: Self.patience)) {
      answer.give(Self.settling)
    }
    queue.async { [self] in
      restoreControls()
      alarm.cancel()
      answer.give(Self.settling)
    }
  }

  private func set(_ step: CaptureBracketedStillImageSettings) throws {
    let controls = Dictionary(
      try device.loadControls().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    if state.withLock({ $0.before == nil }) {
      let ids = CaptureBracketedStillImageSettings.controlIDs.filter {
        controls[$0].map { $0.isReadable && $0.isWritable } ?? false
      }
      let values = try device.values(of: ids)
      state.withLock { $0.before = values }
    }
    try device.applyValues(step.controlSettings(of: controls, camera: device.localizedName))
  }

  /// What is governed first, while it is free still; then what governs it. A camera that is gone
  /// refuses all.
  private func restoreControls() {
    guard let before = state.withLock({ $0.before }) else { return }
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

/// An answer that is given once, by whoever is first.
private final class Answer: Sendable {
  private let completion: Mutex<(@Sendable (Duration) -> Void)?>

  init(_ completion: @escaping @Sendable (Duration) -> Void) {
    self.completion = Mutex(completion)
  }

  func give(_ settling: Duration) {
    completion.withLock { $0.take() }?(settling)
  }
}
