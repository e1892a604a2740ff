import CaptureKitLinux
import Foundation
import Imaging

/// One recording that was asked for.
struct RecordingJob: Sendable {
  let id: UInt64
  let url: URL
  let container: MovieContainer
  let orientation: ImageOrientation
  let limits: RecordingLimits
  /// The one that frames are stamped by.
  let clock: any CaptureClock
  /// Told what happens; holds whoever wants to know until the last event.
  let handler: RecordingEventHandler
}
