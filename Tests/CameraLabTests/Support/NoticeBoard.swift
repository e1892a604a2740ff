import CaptureKitLinux
import Foundation
import Synchronization

/// Collects the notifications that are posted from now on about one object.
final class NoticeBoard: Sendable {
  private let posted: Mutex<[Notification.Name]>

  init(_ names: Notification.Name..., of object: some AnyObject & Sendable) {
    posted = Mutex([])
    for name in names {
      // The observer lives as long as the process; tests are few.
      _ = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
        [weak self] notification in
        self?.posted.withLock { $0.append(notification.name) }
      }
    }
  }

  func count(of name: Notification.Name) -> Int {
    posted.withLock { $0.filter { $0 == name }.count }
  }
}
