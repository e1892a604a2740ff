/// What a store knows: its list, what it has last read, and who wants to hear of changes.
///
/// Each call that changes the list notes that for all listeners at once, so that they hear of
/// changes in the order in which these happened.
struct StoreState: Sendable {
  private(set) var list: ItemList
  private(set) var unreadable: [UnreadableItem]
  private(set) var result: ItemStore.LoadResult
  private(set) var version: ItemVersion
  private var unsaved = UnsavedEdits()
  /// What is being saved just now.
  private var saving: UnsavedEdits?
  private var removals: [Removal] = []
  private var listeners: [Int: Listener] = [:]
  private var nextListener = 0
  var autosave: Autosave?

  /// Whoever saves the list by itself.
  struct Autosave: Sendable {
    let owner: ObjectIdentifier
    /// Called after each edit of this store, with no lock held.
    let plan: @Sendable () -> Void

    init(owner: ObjectIdentifier, _ plan: @escaping @Sendable () -> Void) {
      self.owner = owner
      self.plan = plan
    }
  }

  struct Removal: Sendable {
    var item: Item
    var index: Int
  }

  private struct Listener: Sendable {
    var pending = ItemChanges()
    var waiting: CheckedContinuation<ItemChanges?, Never>?
  }

  /// A listener's continuation, to be resumed once no lock is held.
  struct Delivery: Sendable {
    var continuation: CheckedContinuation<ItemChanges?, Never>?
    var changes: ItemChanges?

    func perform() { continuation?.resume(returning: changes) }
  }

  /// As many removals can be undone.
  static let maximumRemovals = 100

  init(_ stored: StoredItems) {
    list = ItemList(stored.contents.items)
    unreadable = stored.contents.unreadable
    result = stored.result
    version = stored.version
  }
}

// MARK: - Editing

extension StoreState {
  mutating func index(of key: String) -> Int? { list.index(of: key) }

  mutating func insert(_ item: Item, at index: Int?) -> ItemChanges? {
    guard list.index(of: item.itemKey) == nil else { return nil }
    if index.map({ $0 >= list.items.endIndex }) ?? true {
      list.insert(item, at: nil)
      unsaved.didAppend()
    } else {
      unsaved.willRearrange(list.items)
      list.insert(item, at: index)
    }
    var changes = ItemChanges()
    changes.inserted = [item.itemKey]
    return changes
  }

  mutating func update(_ item: Item) -> ItemChanges? {
    guard let index = list.index(of: item.itemKey) else { return nil }
    var changes = ItemChanges()
    guard list.items[index] != item else { return changes }
    unsaved.willReplace(at: index, of: list.items, with: item)
    list.replace(at: index, with: item)
    changes.updated = [item.itemKey]
    return changes
  }

  mutating func move(_ key: String, to target: Int) -> ItemChanges? {
    guard let index = list.index(of: key) else { return nil }
    let target = max(0, min(target, list.items.endIndex - 1))
    var changes = ItemChanges()
    guard index != target else { return changes }
    unsaved.willRearrange(list.items)
    let item = list.remove(at: index)
    list.insert(item, at: target)
    changes.moved = [key]
    return changes
  }

  mutating func remove(_ key: String) -> (item: Item, changes: ItemChanges)? {
    guard let index = list.index(of: key) else { return nil }
    unsaved.willRearrange(list.items)
    let item = list.remove(at: index)
    removals.append(Removal(item: item, index: index))
    removals.removeFirst(max(0, removals.count - Self.maximumRemovals))
    var changes = ItemChanges()
    changes.removed = [key]
    return (item, changes)
  }

  /// The last removal that is not undone yet; one whose item is back already does not count.
  mutating func undoRemoval() -> (item: Item, changes: ItemChanges)? {
    while let last = removals.popLast() {
      if let changes = insert(last.item, at: last.index) { return (last.item, changes) }
    }
    return nil
  }
}

// MARK: - Reading and saving

extension StoreState {
  /// Whether there is anything that no file holds.
  var isEdited: Bool { saving != nil || !unsaved.isEmpty(in: list.items) }

  /// Takes in what somebody else has saved; not while this store saves.
  mutating func adopt(_ stored: StoredItems) -> ItemChanges {
    result = stored.result
    version = stored.version
    // What was set aside is no removal of all items.
    guard case .loaded = stored.result else { return ItemChanges() }
    let mine = list.items
    let theirs = stored.contents.items
    let merged = ItemMerge.merge(base: unsaved.base(of: mine), mine: mine, theirs: theirs)
    list = ItemList(merged.items)
    unsaved = merged.items == theirs ? UnsavedEdits() : UnsavedEdits(from: theirs)
    unreadable = stored.contents.unreadable
    var changes = ItemChanges(from: mine, to: merged.items)
    changes.conflicts = merged.conflicts
    return changes
  }

  /// What is to be saved; edits from now on are not part of it. `isMissing` says that nothing of it is
  /// there yet.
  mutating func beginSaving(isMissing: Bool) -> ItemSave {
    let edits = unsaved
    saving = edits
    unsaved = UnsavedEdits()
    return ItemSave(
      list: list, unreadable: unreadable, unsaved: isMissing ? UnsavedEdits(from: []) : edits)
  }

  mutating func didSave(as version: ItemVersion) {
    saving = nil
    self.version = version
  }

  mutating func didNotSave() {
    guard let edits = saving else { return }
    saving = nil
    unsaved.join(edits, in: list.items)
  }
}

// MARK: - Listening

extension StoreState {
  mutating func addListener() -> Int {
    nextListener += 1
    listeners[nextListener] = Listener()
    return nextListener
  }

  /// - Returns: What ends its waiting; nil where it was removed before.
  mutating func removeListener(_ number: Int) -> Delivery? {
    listeners.removeValue(forKey: number).map { Delivery(continuation: $0.waiting) }
  }

  /// Ends all sequences.
  mutating func removeListeners() -> [Delivery] {
    defer { listeners = [:] }
    return listeners.values.map { Delivery(continuation: $0.waiting) }
  }

  /// Somebody waits for the next changes; those that there are already come at once.
  mutating func wait(
    _ number: Int, with continuation: CheckedContinuation<ItemChanges?, Never>
  ) -> [Delivery] {
    guard var listener = listeners[number], listener.waiting == nil else {
      return [Delivery(continuation: continuation, changes: nil)]
    }
    if listener.pending.isEmpty {
      listener.waiting = continuation
      listeners[number] = listener
      return []
    }
    let changes = listener.pending
    listener.pending = ItemChanges()
    listeners[number] = listener
    return [Delivery(continuation: continuation, changes: changes)]
  }

  /// Tells all listeners; while nobody reads, changes add up to one.
  mutating func note(_ changes: ItemChanges) -> [Delivery] {
    guard !changes.isEmpty else { return [] }
    var deliveries: [Delivery] = []
    for (number, listener) in listeners {
      var listener = listener
      listener.pending.add(changes)
      if let waiting = listener.waiting, !listener.pending.isEmpty {
        deliveries.append(Delivery(continuation: waiting, changes: listener.pending))
        listener = Listener()
      }
      listeners[number] = listener
    }
    return deliveries
  }
}
