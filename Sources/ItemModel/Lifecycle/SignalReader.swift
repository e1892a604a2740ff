import Foundation
import LinuxSystem
import Synchronization

/// Reads the signals that the process gets, on a queue of its own.
final class SignalReader: Sendable {
  private struct State {
    var source: (any DispatchSourceRead)?
    var signals: Set<Int32> = []
  }

  private let state = Mutex(State())

  init() {}

  /// Begins to catch signals. Where there is no room for a pipe they end the process as ever.
  func start(_ signals: Set<Int32>, _ handle: @escaping @Sendable (Int32) -> Void) {
    guard let descriptor = try? ProcessSignals.pipe() else { return }
    state.withLock { state in
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "AppLifecycle.signals"))
      source.setEventHandler {
        while let signal = ProcessSignals.next() { handle(signal) }
      }
      source.activate()
      state.source = source
      state.signals = signals.filter { ProcessSignals.catch($0) }
    }
  }

  func stop() {
    state.withLock { state in
      for signal in state.signals { ProcessSignals.release(signal) }
      state.source?.cancel()
      state = State()
    }
  }
}
