extension CapturePhotoOutput {
  /// What a shutter button should show; as Apple's type of this name.
  public enum CaptureReadiness: Int, CaseIterable, Sendable {
    /// No camera runs: a photo would be refused.
    case sessionNotRunning
    /// A photo is taken at once.
    case ready
    /// A moment, too short to be shown: the camera goes back to its stream, or a tracked request
    /// has not come yet.
    case notReadyMomentarily
    /// An earlier photo waits for its frame: to be shown as busy.
    case notReadyWaitingForCapture
    /// So many pictures are being made that further ones have to wait: to be shown as busy.
    case notReadyWaitingForProcessing
  }

  /// What a shutter button should show now.
  ///
  /// A request made while it is something else than `ready` is not refused for that: it waits for
  /// its turn.
  public var captureReadiness: CaptureReadiness { requests.readiness }

  /// What a shutter button should show, now and whenever it changes; of changes that nobody has
  /// seen yet the newest only.
  ///
  /// ```swift
  /// for await readiness in photos.captureReadinessUpdates {
  ///   shutterButton.isEnabled = readiness == .ready
  /// }
  /// ```
  public var captureReadinessUpdates: AsyncStream<CaptureReadiness> {
    let (stream, continuation) = AsyncStream<CaptureReadiness>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let filter = ChangeFilter()
    let id = requests.readinessBoard.add { readiness in
      if filter.isNew(readiness) { continuation.yield(readiness) }
    }
    continuation.onTermination = { [board = requests.readinessBoard] _ in board.remove(id) }
    requests.readinessHasChanged()
    return stream
  }
}
