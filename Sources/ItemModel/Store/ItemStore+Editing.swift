// Editing the list. Nothing here touches the file.
extension ItemStore {
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
    insert(item)
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
    edit { state in
      let changes = state.insert(item, at: index)
      return (changes != nil, changes ?? ItemChanges())
    }
  }

  /// Replaces the item that has the same key.
  ///
  /// - Parameter item: The changed item.
  /// - Returns: false where there is no item of that key; nothing has changed then.
  @discardableResult
  public func update(_ item: Item) -> Bool {
    edit { state in
      let changes = state.update(item)
      return (changes != nil, changes ?? ItemChanges())
    }
  }

  /// Puts an item at another place of the list.
  ///
  /// - Parameters:
  ///   - key: The item's key.
  ///   - index: Where it stands afterwards, bounded to the list.
  /// - Returns: false where there is no item of that key; nothing has changed then.
  @discardableResult
  public func moveItem(forKey key: String, to index: Int) -> Bool {
    edit { state in
      let changes = state.move(key, to: index)
      return (changes != nil, changes ?? ItemChanges())
    }
  }

  /// Takes an item out of the list.
  ///
  /// - Parameter key: The item's key.
  /// - Returns: The item; nil where there was none.
  @discardableResult
  public func removeItem(forKey key: String) -> Item? {
    edit { state in
      let removed = state.remove(key)
      return (removed?.item, removed?.changes ?? ItemChanges())
    }
  }

  /// Puts the item back that was removed last and is not back yet, where it stood.
  ///
  /// The last hundred removals of this store can be undone, also after they were saved.
  ///
  /// - Returns: The item; nil where there is nothing to undo.
  @discardableResult
  public func undoRemoval() -> Item? {
    edit { state in
      let restored = state.undoRemoval()
      return (restored?.item, restored?.changes ?? ItemChanges())
    }
  }
}
