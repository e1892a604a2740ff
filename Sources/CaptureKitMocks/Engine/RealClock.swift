import CaptureKitLinux
import Dispatch
import Synchronization

/// The machine's clock, for cameras that run in real time.
struct RealClock: CaptureClock {
  private static let queue = DispatchQueue(label: "CaptureKitMocks.clock")

  var now: HostTime { .now }

  func schedule(at time: HostTime, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
    let isCancelled = CancelFlag()
    Self.queue.asyncAfter(deadline: .now() + now.duration(to: time).dispatchInterval) {
      if !isCancelled.value.load(ordering: .relaxed) { work() }
    }
    return ScheduledWork { isCancelled.value.store(true, ordering: .relaxed) }
  }
}

extension Duration {
  /// What Dispatch waits for: no less than nothing, no more than an hour, so that it cannot overflow.
  var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = min(max(.zero, self), .seconds(3600)).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}

private final class CancelFlag: Sendable {
  let value = Atomic<Bool>(false)
}
