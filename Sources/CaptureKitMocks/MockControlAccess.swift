import CaptureKitLinux
import Synchronization

/// Access to the controls of a simulated camera, until it is unplugged.
final class MockControlAccess: CaptureControlAccess {
  private let camera: MockCamera
  private let unplugCount: Int

  init(camera: MockCamera, now: HostTime) throws {
    self.camera = camera
    unplugCount = try camera.state.withLock { try $0.openControls(now: now) }
  }

  func controls() throws -> [CaptureControl] {
    try withState { $0.controls.list }
  }

  func values(
    of ids: [CaptureControl.ID]
  ) throws -> [CaptureControl.ID: Result<CaptureControl.Value, CaptureError>] {
    try withState { state in
      var results: [CaptureControl.ID: Result<CaptureControl.Value, CaptureError>] = [:]
      for id in ids {
        if let refusal = state.script.controlRefusals[id] {
          results[id] = .failure(refusal)
        } else {
          results[id] = state.controls.values[id].map { .success($0) }
        }
      }
      return results
    }
  }

  func set(_ settings: [CaptureControl.Setting]) throws {
    let name = camera.name
    try withState {
      try $0.controls.set(settings, refusals: $0.script.controlRefusals, camera: name)
    }
  }

  func changes() throws -> AsyncStream<CaptureControlChange> {
    try withState { $0.controls.watch() }
  }

  private func withState<Value: Sendable>(
    _ body: (inout MockCameraState) throws -> Value
  ) throws -> Value {
    let (name, unplugCount) = (camera.name, unplugCount)
    return try camera.state.withLock { state in
      guard state.unplugCount == unplugCount else {
        throw CaptureError(.disconnected, "\(name) was unplugged.", errno: 19)
      }
      return try body(&state)
    }
  }
}
