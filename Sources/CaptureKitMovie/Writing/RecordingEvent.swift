import CaptureKitLinux

/// What happens to a recording, in this order; what the delegate, the closure and the async form
/// are made of.
enum RecordingEvent: Sendable {
  case started(HostTime)
  case paused
  case resumed
  case willFinish(MovieError?)
  /// The last one, exactly once.
  case finished(RecordedMovie)
}

typealias RecordingEventHandler = @Sendable (RecordingEvent) -> Void
