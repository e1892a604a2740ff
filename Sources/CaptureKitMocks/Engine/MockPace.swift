import CaptureKitLinux
import Dispatch

/// What a simulated camera's time goes by.
enum MockPace: Sendable {
  case realTime
  case clock(any CaptureClock)

  var now: HostTime {
    switch self {
    case .realTime: .now
    case .clock(let clock): clock.now
    }
  }

  /// How many frames wait to be picked up before further ones are lost.
  var queueLimit: Int {
    switch self {
    case .realTime: 4
    case .clock: .max
    }
  }

  /// Runs something at a moment, on any thread.
  func run(at moment: HostTime, _ work: @escaping @Sendable () -> Void) {
    switch self {
    case .realTime:
      DispatchQueue.global().asyncAfter(
        deadline: .now() + now.duration(to: moment).dispatchInterval, execute: work)
    case .clock(let clock): _ = clock.schedule(at: moment, work)
    }
  }

  /// Waits until a moment, for a signal, or for some real time, whichever is first; may return
  /// earlier.
  ///
  /// In real time nothing but this thread takes part, so that no busy pool of threads delays a frame.
  func wait(for signal: DispatchSemaphore, until moment: HostTime, atMost limit: Duration) {
    switch self {
    case .realTime:
      _ = signal.wait(timeout: .now() + min(limit, now.duration(to: moment)).dispatchInterval)
    case .clock(let clock):
      let alarm = clock.schedule(at: moment) { _ = signal.signal() }
      _ = signal.wait(timeout: .now() + limit.dispatchInterval)
      alarm.cancel()
    }
  }
}

extension Duration {
  /// What Dispatch waits for: no less than nothing, no more than an hour, so that it cannot overflow.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = min(max(.zero, self), .seconds(3600)).components
    // Rounded up: a wait that ends a little early would have to be repeated.
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000) + 1)
  }
}
