import Synchronization

/// Tells a shutter button what to show, request by request; Apple's class of this name.
///
/// A request that is tracked counts from the moment when the button was pressed, also before the
/// photo output has heard of it, for instance where that happens on another thread:
///
/// ```swift
/// coordinator.startTrackingCaptureRequest(using: settings)
/// cameraQueue.async { photos.capturePhoto(with: settings, delegate: self) }
/// ```
public final class CapturePhotoOutputReadinessCoordinator: Sendable {
  private struct State {
    weak var delegate: (any CapturePhotoOutputReadinessCoordinatorDelegate)?
    var tracked: [CapturePhotoSettings] = []
  }

  private let output: CapturePhotoOutput
  private let state = Mutex(State())
  private let filter = ChangeFilter()
  private let watcherID = Mutex<Int?>(nil)

  /// Looks at an output, which it keeps.
  public init(photoOutput: CapturePhotoOutput) {
    output = photoOutput
    let id = photoOutput.requests.readinessBoard.add { [weak self] _ in self?.tell() }
    watcherID.withLock { $0 = id }
  }

  deinit {
    if let id = watcherID.withLock({ $0 }) { output.requests.readinessBoard.remove(id) }
  }

  /// Who is told of changes; not kept.
  public var delegate: (any CapturePhotoOutputReadinessCoordinatorDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// What the shutter button should show now.
  public var captureReadiness: CapturePhotoOutput.CaptureReadiness {
    let isAwaited = state.withLock { state in
      state.tracked.removeAll { $0.isTaken }
      return !state.tracked.isEmpty
    }
    let readiness = output.captureReadiness
    return isAwaited && readiness == .ready ? .notReadyMomentarily : readiness
  }

  /// Counts a request that is about to be made.
  ///
  /// - Parameter settings: The settings that it will be made with; not counted any more once it was
  ///   made.
  public func startTrackingCaptureRequest(using settings: CapturePhotoSettings) {
    state.withLock { $0.tracked.append(settings) }
    output.requests.readinessHasChanged()
  }

  /// Counts a request no more that will not be made after all.
  ///
  /// - Parameter uniqueID: Its settings' ``CapturePhotoSettings/uniqueID``.
  public func stopTrackingCaptureRequest(using uniqueID: Int64) {
    state.withLock { state in state.tracked.removeAll { $0.uniqueID == uniqueID } }
    output.requests.readinessHasChanged()
  }

  private func tell() {
    let readiness = captureReadiness
    guard filter.isNew(readiness) else { return }
    delegate?.readinessCoordinator(self, captureReadinessDidChange: readiness)
  }
}

/// Is told what a shutter button should show; Apple's
/// `AVCapturePhotoOutputReadinessCoordinatorDelegate`.
public protocol CapturePhotoOutputReadinessCoordinatorDelegate: AnyObject, Sendable {
  /// The readiness has changed.
  ///
  /// Called on the output's own queue, never on the main thread and never under a lock.
  func readinessCoordinator(
    _ coordinator: CapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: CapturePhotoOutput.CaptureReadiness)
}

/// Lets what is the same as before not through.
final class ChangeFilter: Sendable {
  private let last = Mutex<CapturePhotoOutput.CaptureReadiness?>(nil)

  func isNew(_ readiness: CapturePhotoOutput.CaptureReadiness) -> Bool {
    last.withLock { last in
      defer { last = readiness }
      return last != readiness
    }
  }
}
