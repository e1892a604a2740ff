import Synchronization

/// The watch of an environment, which runs while somebody wants it.
final class DeviceWatches: Sendable {
  private struct State {
    var count = 0
    var watch: DeviceWatch?
  }

  private let state = Mutex(State())

  /// Why changes are noticed late, if they are.
  var error: CaptureError? { state.withLock { $0.watch }?.error }

  /// Watches on behalf of one more.
  func retain(for environment: CaptureEnvironment) {
    let watch = state.withLock { state -> DeviceWatch? in
      state.count += 1
      guard state.watch == nil else { return nil }
      let watch = DeviceWatch(environment)
      state.watch = watch
      return watch
    }
    watch?.start()
  }

  /// One has seen enough.
  func release() {
    let watch = state.withLock { state -> DeviceWatch? in
      state.count -= 1
      guard state.count == 0 else { return nil }
      defer { state.watch = nil }
      return state.watch
    }
    watch?.cancel()
  }

  /// Looks again, where there is a watch, when that will decide something.
  func lookAgain(at backend: Int, after time: HostTime) {
    state.withLock { $0.watch }?.look(at: backend, after: time)
  }
}
