import Foundation
import Synchronization

/// A delegate that notes what is thrown out.
final class EvictionRecorder<Value: AnyObject & Sendable>: NSObject, NSCacheDelegate, Sendable {
  private let evicted = Mutex<[Value]>([])

  func cache(_ cache: NSCache<AnyObject, AnyObject>, willEvictObject object: Any) {
    guard let value = object as? Value else { return }
    evicted.withLock { $0.append(value) }
  }

  /// What was thrown out since the last call, in order.
  func take() -> [Value] {
    evicted.withLock { evicted in
      defer { evicted = [] }
      return evicted
    }
  }
}
