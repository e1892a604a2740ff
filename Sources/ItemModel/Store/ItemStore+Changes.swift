public import Foundation
public import Observation

// Three ways to hear of changes: a sequence, and two thin adapters over the same moment.
extension ItemStore {
  /// The changes of the list from now on: this store's, those of other stores and of other
  /// processes.
  ///
  /// While somebody reads, the file's folder is watched, and what others save is taken in at once.
  public var changes: ItemChangeSequence {
    let sequence = ItemChangeSequence(listening: ItemChangeSequence.Listening(to: core))
    core.watcher.start(
      storage.url.path(percentEncoded: false), storage.traces
    ) { [weak self] in
      guard let self else { return false }
      // A file that cannot be read now is tried again when it changes, and with each save.
      _ = try? self.refresh()
      return true
    }
    return sequence
  }

  /// Posted to the default `NotificationCenter` after the list has changed, on the thread that has
  /// changed it; what others have saved comes on a thread of its own, or on one that saves.
  public static let didChangeNotification = Notification.Name("ItemStoreDidChange")

  /// The key of the ``ItemChanges`` in the notification's `userInfo`.
  public static let changesUserInfoKey: String = "ItemStoreChanges"
}

/// `withObservationTracking` sees each change of ``allItems``.
extension ItemStore: Observable {}
