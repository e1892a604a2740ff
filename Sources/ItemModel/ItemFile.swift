import Foundation
import LinuxSystem

/// The file of a list of items.
struct ItemFile: Sendable {
  /// Far above what a list of items needs, and low enough to be held in memory.
  private static let maximumByteCount = 256 << 20

  let url: URL

  init(url: URL) throws(ItemStoreError) {
    guard url.isFileURL else {
      throw ItemStoreError(.failed, "\(url) is no file's address; items are kept in files")
    }
    // A relative address must not follow the process when it changes its working folder.
    self.url = url.absoluteURL
  }

  private var path: String { url.path(percentEncoded: false) }

  /// Reads the items; a file that is no list of items is renamed.
  func load() throws(ItemStoreError) -> (items: [Item], result: ItemStore.LoadResult) {
    guard let bytes = try readBytes() else { return ([], .absent) }
    guard !XMLNesting.isTooDeep(bytes) else {
      return ([], try setAside(because: "Its values lie too deep in each other."))
    }
    let items: [Item]
    do {
      items = try PropertyListDecoder().decode([Item].self, from: Data(bytes))
    } catch {
      return ([], try setAside(because: Self.sentence(for: error)))
    }
    return (Self.withDistinctKeys(items), .loaded)
  }

  func save(_ items: [Item], inPrivateFolder isPrivate: Bool) throws(ItemStoreError) {
    let encoder = PropertyListEncoder()
    // Unlike XML it holds every character that a name may have, control characters too.
    encoder.outputFormat = .binary
    let bytes: Data
    do {
      bytes = try encoder.encode(items)
    } catch {
      throw ItemStoreError(.failed, "The items could not be encoded: \(error)")
    }
    do throws(FileFailure) {
      let folder = url.deletingLastPathComponent().path(percentEncoded: false)
      try Folder.make(folder, isPrivate: isPrivate)
      try AtomicFile.write(bytes.bytes, to: path)
    } catch {
      // Only the program's own folder is private, and that variable moves it.
      throw ItemStoreError(
        error, doing: "The items could not be saved", or: isPrivate ? "set XDG_DATA_HOME" : nil)
    }
  }
}

// MARK: - Steps of loading

extension ItemFile {
  /// nil where there is no file.
  private func readBytes() throws(ItemStoreError) -> [UInt8]? {
    do throws(FileFailure) {
      return try AtomicFile.read(path, atMost: Self.maximumByteCount)
    } catch {
      if error.errno == .noEntry { return nil }
      throw ItemStoreError(error, doing: "The items could not be read")
    }
  }

  private func setAside(because reason: String) throws(ItemStoreError) -> ItemStore.LoadResult {
    do throws(FileFailure) {
      let newPath = try AtomicFile.moveAside(path, suffix: ".unreadable")
      return .unreadable(movedTo: URL(filePath: newPath), reason: reason)
    } catch {
      throw ItemStoreError(
        .damaged,
        "\(path) is damaged and could not be renamed: \(error.explanation) \(reason)",
        errno: error.errno.rawValue)
    }
  }

  /// Keeps all items: of those that share a key the first has it, the others get a new one.
  private static func withDistinctKeys(_ items: [Item]) -> [Item] {
    var keys: Set<String> = []
    return items.map { item in
      let distinct = keys.insert(item.itemKey).inserted ? item : item.rekeyed()
      keys.insert(distinct.itemKey)
      return distinct
    }
  }

  private static func sentence(for error: any Error) -> String {
    let context: DecodingError.Context
    switch error as? DecodingError {
    case .dataCorrupted(let found), .keyNotFound(_, let found), .typeMismatch(_, let found),
      .valueNotFound(_, let found):
      context = found
    default: return "\(error)"
    }
    // Foundation speaks of Swift's types, which says nothing to whoever owns the file.
    if case .typeMismatch? = error as? DecodingError, context.codingPath.isEmpty {
      return "It is no list of items."
    }
    let place = context.codingPath.map(\.stringValue).joined(separator: ", ")
    return place.isEmpty
      ? context.debugDescription : "\(context.debugDescription) At \(place)."
  }
}
