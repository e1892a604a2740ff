import Dispatch
import Synchronization

/// A layer's end in the session: it takes frames on the camera's thread, keeps the newest one, and
/// has the layer's images drawn on a queue of its own.
///
/// Apart from the layer, so that a layer that nobody holds any more leaves its session.
final class PreviewOutput: CaptureOutput {
  /// Who looks at images that are pushed.
  struct Viewer: Sendable {
    var show: @Sendable (PreviewImage) -> Void
    var end: @Sendable () -> Void = {}
  }

  let renderer = PreviewRenderer()
  private let drawing = DispatchQueue(label: "CaptureKitLinux.preview", qos: .userInitiated)
  private let state = Mutex(State())

  private struct State {
    /// One for each of the session's cameras; the first one's frames are shown.
    var connections: [CaptureConnection] = []
    var frames = NewestOnly<CapturedFrame>()
    var viewers: [UInt64: Viewer] = [:]
    var lastViewer: UInt64 = 0
    var lastError: CaptureError?
  }

  /// The connection whose frames are shown.
  var connection: CaptureConnection? { state.withLock { $0.connections.first } }

  /// The newest frame and its number.
  var newest: (frame: CapturedFrame, number: UInt64)? {
    state.withLock { state in state.frames.newest.map { ($0, state.frames.number) } }
  }

  var lastError: CaptureError? { state.withLock { $0.lastError } }

  /// Shows somebody each image that is drawn, on the drawing queue.
  ///
  /// - Returns: What ``removeViewer(_:)`` takes them away by.
  func addViewer(_ viewer: Viewer) -> UInt64 {
    let id = state.withLock { state in
      state.lastViewer += 1
      state.viewers[state.lastViewer] = viewer
      return state.lastViewer
    }
    startDrawing()
    return id
  }

  func removeViewer(_ id: UInt64) {
    _ = state.withLock { $0.viewers.removeValue(forKey: id) }
  }

  /// No further image comes.
  func endImages() {
    let viewers = state.withLock { state in
      defer { state.viewers = [:] }
      return state.viewers.values
    }
    for viewer in viewers { viewer.end() }
  }
}

// MARK: - CaptureOutput

extension PreviewOutput {
  func didConnect(_ connection: CaptureConnection) {
    state.withLock { $0.connections.append(connection) }
  }

  func didDisconnect(_ connection: CaptureConnection) {
    state.withLock { state in
      if state.connections.first === connection { state.frames.clear() }
      state.connections.removeAll { $0 === connection }
    }
  }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    let isShown = state.withLock { state in
      guard state.connections.first === connection else { return false }
      state.frames.put(frame)
      return true
    }
    if isShown { startDrawing() }
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    state.withLock { state in
      // A driver's buffer that is kept keeps the driver's memory, and may keep others from the
      // camera.
      if state.connections.first === connection { state.frames.clear() }
    }
  }
}

// MARK: - Drawing

extension PreviewOutput {
  /// Draws unless somebody is at it or nobody looks.
  private func startDrawing() {
    let starts = state.withLock { !$0.viewers.isEmpty && $0.frames.startsWorker() }
    guard starts else { return }
    drawing.async { [self] in
      while let (frame, number) = state.withLock({ $0.frames.next() }) { show(frame, number) }
    }
  }

  private func show(_ frame: CapturedFrame, _ number: UInt64) {
    let viewers = state.withLock { $0.viewers.values.map { $0 } }
    guard !viewers.isEmpty, let turn = connection?.uprightTurn else { return }
    do {
      guard let image = try renderer.image(of: frame, number: number, turn: turn) else { return }
      for viewer in viewers { viewer.show(image) }
    } catch {
      state.withLock { $0.lastError = .wrapping(error) }
    }
  }
}
