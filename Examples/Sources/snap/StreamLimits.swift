import Dispatch
import ExampleSupport

/// When a stream ends by itself.
struct StreamLimits {
  let frames: UInt64?
  /// In seconds.
  let duration: Double?

  init(_ options: Options) throws {
    frames = try options.value("--frames", expected: "a number from 1") {
      UInt64($0).flatMap { $0 > 0 ? $0 : nil }
    }
    duration = try options.value("--duration", expected: "seconds, more than 0") {
      Double($0).flatMap { $0 > 0 && $0 <= 1e8 ? $0 : nil }
    }
  }

  /// Calls a function when the time is over, unless the alarm is cancelled; nil without a limit.
  func alarm(_ end: @escaping @Sendable () -> Void) -> (any DispatchSourceTimer)? {
    guard let duration else { return nil }
    let alarm = DispatchSource.makeTimerSource()
    alarm.schedule(deadline: .now() + duration)
    alarm.setEventHandler(handler: end)
    alarm.activate()
    return alarm
  }
}
