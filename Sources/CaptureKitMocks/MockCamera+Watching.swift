import CaptureKitLinux
import Synchronization

extension MockCamera {
  /// Called after a change, with the moment when an unplugged camera comes back by itself.
  typealias Watcher = @Sendable (HostTime?) -> Void

  /// Somebody's wish to hear of changes.
  struct Watch: Sendable {
    fileprivate let camera: MockCamera
    fileprivate let id: Int

    func end() {
      camera.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
    }
  }

  /// Tells somebody of changes, and at once where the camera is unplugged and comes back by itself.
  func watch(_ watcher: @escaping Watcher) -> Watch {
    let (id, comesBack) = state.withLock { state in
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = watcher
      return (state.lastWatcher, state.comesBack)
    }
    if comesBack != nil { watcher(comesBack) }
    return Watch(camera: self, id: id)
  }
}
