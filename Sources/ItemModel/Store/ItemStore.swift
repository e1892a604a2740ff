public import Foundation
import LinuxSystem
import Observation
import Synchronization

/// A list of items that is kept in a file.
///
/// ```swift
/// let items = try ItemStore(contentsOf: inventoryURL)
/// let bike = items.createItem(name: "Bicycle", valueInDollars: 450, category: .other)
/// try items.saveChanges()
/// ```
///
/// The file is a binary property list: an array of dictionaries, one for each item, with the keys
/// that ``Item`` documents. Files that other programs have written as XML or JSON are read, and
/// become binary when they are saved. Changes stay in memory until ``saveChanges()``. All calls may
/// come from any thread. The module `ItemModelSQLite` keeps the same list in a database.
///
/// Several stores and processes may have the same file open: each save takes in what the others
/// have saved, and ``changes`` tells of it. A hidden file beside the list, `.NAME.lock`, is their
/// lock and says what was published last.
public final class ItemStore: Sendable {
  /// What was found where the items are kept.
  public enum LoadResult: Hashable, Sendable {
    /// There was no file; the store began empty.
    case absent
    /// The file was read; what of it is no item, ``ItemStore/unreadableItems`` holds.
    case loaded
    /// The file was no list of items, or damaged. It lies unchanged under a new name beside the old
    /// one; saving does not touch the file set aside.
    case unreadable(movedTo: URL, reason: String)
  }

  let storage: any ItemStorage
  let core: StoreCore
  let registrar = ObservationRegistrar()
  /// Saves follow each other, so that an older state never replaces a newer one.
  private let saves = DispatchQueue(label: "ItemStore.saves")

  /// Opens the list in a file, which does not have to exist.
  ///
  /// - Parameters:
  ///   - url: The file. Its folder is made when the items are saved.
  ///   - dates: How the dates of a JSON file are written; nil to tell it by the rule of
  ///     ``ItemDates``.
  /// - Throws: ``ItemStoreError`` where a file exists but cannot be read, where its dates are
  ///   unclear, or where it is damaged and cannot be renamed: then nothing was changed. A damaged
  ///   file that could be renamed is no error; see ``loadResult``.
  public convenience init(
    contentsOf url: URL, dates: ItemDates? = nil
  ) throws(ItemStoreError) {
    try self.init(storage: ItemFile(url: url, dates: dates))
  }

  /// Opens the program's own list, `$XDG_DATA_HOME/<program>/items.plist`.
  ///
  /// - Throws: ``ItemStoreError``, as ``init(contentsOf:dates:)`` does.
  public convenience init() throws(ItemStoreError) {
    let folder = URL(filePath: XDGDirectories().dataOfProgram, directoryHint: .isDirectory)
    try self.init(
      storage: ItemFile(url: folder.appending(path: "items.plist"), isPrivate: true))
  }

  /// Opens the list in any storage.
  package init(storage: some ItemStorage) throws(ItemStoreError) {
    self.storage = storage
    core = StoreCore(StoreState(try storage.load()))
  }

  deinit { core.finish() }

  // MARK: - Reading

  /// The file that ``saveChanges()`` writes.
  public var fileURL: URL { storage.url }

  /// What was found when the file was last read.
  ///
  /// Tell the user where it is ``LoadResult/unreadable(movedTo:reason:)``: the items are not lost.
  public var loadResult: LoadResult { core.state.withLock { $0.result } }

  /// All items in their order.
  public var allItems: [Item] {
    registrar.access(self, keyPath: \.allItems)
    return core.state.withLock { $0.list.items }
  }

  /// What the file holds beside its items: kept, and written back where it stood.
  public var unreadableItems: [UnreadableItem] { core.state.withLock { $0.unreadable } }

  /// Whether there are changes that ``saveChanges()`` would write.
  public var hasUnsavedChanges: Bool { core.state.withLock { $0.isEdited } }

  /// The item of a key; nil where there is none.
  public func item(forKey key: String) -> Item? {
    registrar.access(self, keyPath: \.allItems)
    return core.state.withLock { state in state.index(of: key).map { state.list.items[$0] } }
  }

  // MARK: - Saving

  /// Writes all items to the file, whole or not at all, with what others have saved meanwhile.
  ///
  /// When the call returns, the items are on the disk; when it throws, the file still holds what
  /// was saved before. A symbolic link is followed and the old file's mode is kept; a file that is
  /// read-only is left alone. The call blocks for as long as the disk takes, and while another
  /// process saves.
  ///
  /// Where somebody else has saved since the file was last read, the changes of both are brought
  /// together, item by item and value by value. Only where both have changed the same value there
  /// is a conflict: both items are kept, the other's under the old key.
  ///
  /// - Returns: The conflicts, of which ``changes`` tells, too.
  /// - Throws: ``ItemStoreError`` with the reason and the kernel's error number.
  @discardableResult
  public func saveChanges() throws(ItemStoreError) -> [ItemConflict] {
    let adopted = Adopted()
    let result = saves.sync {
      Result { () throws(ItemStoreError) in
        let version = core.state.withLock { $0.version }
        do throws(ItemStoreError) {
          let newVersion = try storage.save(since: version) { save(over: $0, adopted) }
          if adopted.isSaving { core.state.withLock { $0.didSave(as: newVersion) } }
        } catch {
          core.state.withLock { $0.didNotSave() }
          throw error
        }
      }
    }
    tell(adopted.changes, adopted.deliveries)
    try result.get()
    return adopted.changes.conflicts
  }

  /// Reads what others have saved since the file was last read, and keeps what was changed here.
  ///
  /// Not needed while somebody reads ``changes``: then it happens by itself.
  ///
  /// - Returns: Whether there was something new.
  /// - Throws: ``ItemStoreError``, as opening the list does; nothing has changed then.
  @discardableResult
  public func refresh() throws(ItemStoreError) -> Bool {
    let result = saves.sync {
      Result { () throws(ItemStoreError) -> (ItemChanges, [StoreState.Delivery])? in
        let version = core.state.withLock { $0.version }
        guard let stored = try storage.load(since: version) else { return nil }
        return core.state.withLock { state in
          let changes = state.adopt(stored)
          return (changes, state.note(changes))
        }
      }
    }
    guard let (changes, deliveries) = try result.get() else { return false }
    tell(changes, deliveries)
    return true
  }
}

// MARK: - Steps

extension ItemStore {
  /// What a save has taken in on its way.
  private final class Adopted {
    var changes = ItemChanges()
    var deliveries: [StoreState.Delivery] = []
    var isSaving = false
  }

  /// What is to be written; nil where the file holds it already.
  private func save(over found: FoundItems, _ adopted: Adopted) -> ItemSave? {
    core.state.withLock { state in
      var isMissing = false
      switch found {
      case .unchanged: break
      case .absent: isMissing = true
      case .changed(let stored):
        adopted.changes = state.adopt(stored)
        adopted.deliveries = state.note(adopted.changes)
        if case .loaded = stored.result {} else { isMissing = true }
      }
      guard isMissing || state.isEdited else { return nil }
      adopted.isSaving = true
      return state.beginSaving(isMissing: isMissing)
    }
  }

  /// Changes the list, and tells of it.
  func edit<Value>(_ body: (inout StoreState) -> (Value, ItemChanges)) -> Value {
    let (value, changes, deliveries, autosave) = core.state.withLock { state in
      let (value, changes) = body(&state)
      return (value, changes, state.note(changes), changes.isEmpty ? nil : state.autosave)
    }
    tell(changes, deliveries)
    autosave?.plan()
    return value
  }

  /// With no lock held: whoever hears of changes may call back.
  private func tell(_ changes: ItemChanges, _ deliveries: [StoreState.Delivery]) {
    guard !changes.isEmpty else { return }
    for delivery in deliveries { delivery.perform() }
    registrar.withMutation(of: self, keyPath: \.allItems) {}
    NotificationCenter.default.post(
      name: Self.didChangeNotification, object: self,
      userInfo: [Self.changesUserInfoKey: changes])
  }
}
