import CaptureKitLinux
import Foundation
import Synchronization

/// Counts a session's notifications.
final class NoticeCounter: Sendable {
  private let seen = Mutex<[Int?]>([])

  init(_ name: Notification.Name, of session: CaptureSession) {
    // The observer lives as long as the process; tests are few.
    _ = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
      [weak self] notification in
      let reason = notification.userInfo?[CaptureSession.interruptionReasonKey] as? Int
      self?.seen.withLock { $0.append(reason) }
    }
  }

  /// How many there are once there is one, and whatever came with it.
  var settled: Int {
    get async {
      while seen.withLock({ $0.isEmpty }) { await Task.yield() }
      return seen.withLock { $0.count }
    }
  }

  var reasons: [Int] { seen.withLock { $0.compactMap { $0 } } }
}
