import Dispatch
import LinuxSystem

/// The machine's own clock.
struct SystemClock: CaptureClock {
  private static let queue = DispatchQueue(label: "CaptureKitLinux.clock")

  var now: HostTime { .now }

  func schedule(at time: HostTime, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
    let item = DispatchWorkItem(block: work)
    let wait = max(.zero, now.duration(to: time)).wholeNanoseconds
    Self.queue.asyncAfter(
      deadline: .now() + .nanoseconds(Int(clamping: wait)), execute: item)
    return ScheduledWork { [item = UncheckedWorkItem(item)] in item.value.cancel() }
  }
}

/// `DispatchWorkItem` may be cancelled from any thread, but is not declared so.
private struct UncheckedWorkItem: @unchecked Sendable {  // only `cancel()` is called on it
  let value: DispatchWorkItem
  init(_ value: DispatchWorkItem) { self.value = value }
}
