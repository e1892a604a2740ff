public import CaptureKitLinux
import Synchronization

// MARK: - CaptureOutput

extension CaptureMovieFileOutput {
  /// Takes note of the connection; the session calls it.
  public func didConnect(_ connection: CaptureConnection) {
    links.withLock { $0.connections.append(connection) }
    engine.add(connection)
  }

  /// Forgets the connection and ends its recording; the session calls it.
  public func didDisconnect(_ connection: CaptureConnection) {
    links.withLock { $0.connections.removeAll { $0 === connection } }
    if isSource(connection) { engine.end(.removed(connection)) }
    engine.remove(connection)
  }

  /// Takes note of the start; the session calls it.
  public func connection(
    _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
  ) {}

  /// Records the frame, or keeps it for a pre-roll; the session calls it.
  public func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    engine.receive(frame, from: connection)
  }

  /// Counts the frame as missing; the session calls it.
  public func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
    engine.noteDrop(frame, of: connection)
  }

  /// Ends the recording where the camera has ended by itself; the session calls it.
  ///
  /// One that was stopped may be started again at once, in the same format: then the recording goes
  /// on.
  public func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    if let error, isSource(connection) { engine.end(.ended(connection, by: error)) }
    if error != nil { engine.forget(connection) }
  }

  /// Ends the recording; the session calls it.
  public func deliveryDidEnd() {
    engine.end(.stopped)
    for connection in connections { engine.forget(connection) }
  }

  /// Whether a recording takes the connection's frames, or would if one came.
  private func isSource(_ connection: CaptureConnection) -> Bool {
    let source = engine.state.withLock { $0.source }
    return source.map { $0 == ObjectIdentifier(connection) } ?? true
  }
}

extension MovieError {
  fileprivate static let stopped = MovieError(
    .sessionStopped, "The recording was ended: its session has stopped.")

  fileprivate static func removed(_ connection: CaptureConnection) -> MovieError {
    let name = connection.input.device.localizedName
    return MovieError(
      .sessionStopped, "The recording was ended: the session records \(name) no more.")
  }

  fileprivate static func ended(
    _ connection: CaptureConnection, by error: CaptureError
  ) -> MovieError {
    let name = connection.input.device.localizedName
    switch error.code {
    case .disconnected:
      return MovieError(
        .deviceDisconnected, "The recording was ended: \(name) was unplugged.", errno: error.errno)
    case .noConnection: return removed(connection)
    default:
      return MovieError(
        .sessionStopped, "The recording was ended: \(error)", errno: error.errno)
    }
  }
}
