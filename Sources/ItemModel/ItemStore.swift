public import Foundation
import LinuxSystem
import Synchronization

/// A list of items that is kept in a file.
///
/// ```swift
/// let items = try ItemStore(contentsOf: inventoryURL)
/// let bike = items.createItem(name: "Bicycle", valueInDollars: 450, category: .other)
/// try items.saveChanges()
/// ```
///
/// The file is a binary property list: an array of dictionaries, one for each item, with
/// the keys that ``Item`` documents. Changes stay in memory until ``saveChanges()``. All calls may
/// come from any thread.
public final class ItemStore: Sendable {
  /// What was found where the items are kept.
  public enum LoadResult: Hashable, Sendable {
    /// There was no file; the store began empty.
    case absent
    /// The file was read in full.
    case loaded
    /// The file was no list of items. It lies unchanged under a new name beside the old one,
    /// and the store began empty; saving does not touch the file set aside.
    case unreadable(movedTo: URL, reason: String)
  }

  /// What was found when the store was opened.
  ///
  /// Tell the user where it is ``LoadResult/unreadable(movedTo:reason:)``: the items are not lost.
  public let loadResult: LoadResult

  private let file: ItemFile
  private let items: Mutex<[Item]>
  /// Saves follow each other, so that an older state never replaces a newer one.
  private let saves = DispatchQueue(label: "ItemStore.saves")
  private let foldersArePrivate: Bool

  /// Opens the list in a file, which does not have to exist.
  ///
  /// - Parameter url: The file. Its folder is made when the items are saved.
  /// - Throws: ``ItemStoreError`` where a file exists but cannot be read, or is damaged and
  ///   cannot be renamed: then nothing was changed. A damaged file that could be renamed is no
  ///   error; see ``loadResult``.
  public convenience init(contentsOf url: URL) throws(ItemStoreError) {
    try self.init(url, foldersArePrivate: false)
  }

  /// Opens the program's own list, `$XDG_DATA_HOME/<program>/items.plist`.
  ///
  /// - Throws: ``ItemStoreError``, as ``init(contentsOf:)`` does.
  public convenience init() throws(ItemStoreError) {
    let folder = URL(filePath: XDGDirectories().dataOfProgram, directoryHint: .isDirectory)
    try self.init(folder.appending(path: "items.plist"), foldersArePrivate: true)
  }

  private init(_ url: URL, foldersArePrivate: Bool) throws(ItemStoreError) {
    let file = try ItemFile(url: url)
    let (items, result) = try file.load()
    self.file = file
    self.loadResult = result
    self.items = Mutex(items)
    self.foldersArePrivate = foldersArePrivate
  }

  // MARK: - Reading

  /// The file that ``saveChanges()`` writes.
  public var fileURL: URL { file.url }

  /// All items in their order.
  public var allItems: [Item] { items.withLock { $0 } }

  /// The item of a key; nil where there is none.
  public func item(forKey key: String) -> Item? {
    items.withLock { items in items.first { $0.itemKey == key } }
  }

  // MARK: - Changing

  /// Makes an item and appends it.
  ///
  /// - Parameters:
  ///   - name: What the thing is called.
  ///   - serialNumber: The number on its type plate; nil where it has none.
  ///   - valueInDollars: What it is worth, in whole dollars.
  ///   - category: The kind of thing that it is.
  /// - Returns: The item, with a key of its own.
  @discardableResult
  public func createItem(
    name: String, serialNumber: String? = nil, valueInDollars: Int, category: Category = .other
  ) -> Item {
    let item = Item(
      name: name, serialNumber: serialNumber, valueInDollars: valueInDollars, category: category)
    items.withLock { $0.append(item) }
    return item
  }

  /// Puts an item into the list.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - index: Where it goes, bounded to the list; nil for the end.
  /// - Returns: false where an item of that key is there already; nothing has changed then.
  @discardableResult
  public func insert(_ item: Item, at index: Int? = nil) -> Bool {
    items.withLock { items in
      guard !items.contains(where: { $0.itemKey == item.itemKey }) else { return false }
      let end = items.endIndex
      items.insert(item, at: max(0, min(index ?? end, end)))
      return true
    }
  }

  /// Replaces the item that has the same key.
  ///
  /// - Parameter item: The changed item.
  /// - Returns: false where there is no item of that key; nothing has changed then.
  @discardableResult
  public func update(_ item: Item) -> Bool {
    items.withLock { items in
      guard let index = items.firstIndex(where: { $0.itemKey == item.itemKey }) else {
        return false
      }
      items[index] = item
      return true
    }
  }

  /// Takes an item out of the list.
  ///
  /// - Parameter key: The item's key.
  /// - Returns: The item; nil where there was none.
  @discardableResult
  public func removeItem(forKey key: String) -> Item? {
    items.withLock { items in
      items.firstIndex { $0.itemKey == key }.map { items.remove(at: $0) }
    }
  }

  // MARK: - Saving

  /// Writes all items to the file, whole or not at all.
  ///
  /// When the call returns, the items are on the disk; when it throws, the file still holds what
  /// was saved before. A symbolic link is followed and the old file's mode is kept. The call
  /// blocks for as long as the disk takes.
  ///
  /// - Throws: ``ItemStoreError`` with the reason and the kernel's error number.
  public func saveChanges() throws(ItemStoreError) {
    let result = saves.sync {
      Result { () throws(ItemStoreError) in
        try file.save(allItems, inPrivateFolder: foldersArePrivate)
      }
    }
    try result.get()
  }
}
