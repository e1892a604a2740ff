package import Foundation

/// Where a store keeps its items. A store merges and tells; a storage reads and publishes.
package protocol ItemStorage: Sendable {
  /// The file that everything lies in.
  var url: URL { get }

  /// What is seen in the folder when somebody else saves.
  var traces: SaveTraces { get }

  /// Reads what is there. What is no list of items is set aside.
  func load() throws(ItemStoreError) -> StoredItems

  /// Reads what is there where it is not of `version` any more.
  /// - Returns: nil where nothing is new, or nothing is there.
  func load(since version: ItemVersion) throws(ItemStoreError) -> StoredItems?

  /// Publishes a list, with all others kept out from the reading to the end.
  ///
  /// - Parameters:
  ///   - version: What the caller knows.
  ///   - merge: Is told what is there, and says what is to be there: nil for no change.
  /// - Returns: The version that is there now.
  /// - Throws: ``ItemStoreError``; what was there before is there still.
  func save(
    since version: ItemVersion, _ merge: (FoundItems) -> ItemSave?
  ) throws(ItemStoreError) -> ItemVersion
}

/// Which state of a storage somebody has read.
package struct ItemVersion: Hashable, Sendable {
  var mark: FileSeal.Mark?
  /// How many states were published before, as far as that is known.
  package var generation: UInt64

  package init(generation: UInt64 = 0) { self.generation = generation }

  init(mark: FileSeal.Mark?, generation: UInt64) {
    self.mark = mark
    self.generation = generation
  }
}

/// A list with what was found on the way to it.
package struct StoredItems: Sendable {
  package var contents: ItemContents
  package var result: ItemStore.LoadResult
  package var version: ItemVersion

  package init(
    contents: ItemContents = ItemContents(), result: ItemStore.LoadResult,
    version: ItemVersion = ItemVersion()
  ) {
    self.contents = contents
    self.result = result
    self.version = version
  }
}

/// What lies in a storage when a list is to be saved.
package enum FoundItems: Sendable {
  /// What the caller knows.
  case unchanged
  /// Nothing, or no longer anything.
  case absent
  /// Somebody else's state.
  case changed(StoredItems)
}

/// What a folder shows of a save.
package struct SaveTraces: Hashable, Sendable {
  /// What the names of files that are written end with, behind the list's own.
  package var suffixes: [String]
  /// Whether a file is written before what stands in it counts, and not closed afterwards.
  package var isGradual: Bool

  package init(suffixes: [String], isGradual: Bool) {
    self.suffixes = suffixes
    self.isGradual = isGradual
  }

  /// The file is replaced, whole.
  package static let replacing = SaveTraces(suffixes: [""], isGradual: false)
}
