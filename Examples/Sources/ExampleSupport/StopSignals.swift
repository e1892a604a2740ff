import Dispatch
@preconcurrency import Glibc

/// Ctrl-C and kill(1), told instead of ending the program at once, for as long as this object lives.
public final class StopSignals {
  private let sources: [any DispatchSourceSignal]

  /// Begins to listen.
  ///
  /// - Parameter stop: Called on a queue of the system's, once for each signal.
  public init(_ stop: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler(handler: stop)
      source.activate()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
