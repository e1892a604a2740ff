import LinuxSystem
import Synchronization

/// One reader of a library's changes: what has happened since it read last is one change.
final class ChangeSubscription: Sendable {
  private let pending = Mutex(PendingChange())
  private let ticks: AsyncStream<Void>
  private let tick: AsyncStream<Void>.Continuation

  init() { (ticks, tick) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func tell(_ change: PhotoLibrary.Change) {
    pending.withLock { $0.add(change) }
    tick.yield()
  }

  func finish() { tick.finish() }

  func take() -> PhotoLibrary.Change? { pending.withLock { $0.take() } }

  func makeTicks() -> AsyncStream<Void>.AsyncIterator { ticks.makeAsyncIterator() }
}

/// Several changes as one, of bounded size.
struct PendingChange {
  /// Names beyond this are a reload: asking anew is cheaper than going through them.
  static let limit = 1000

  private var change = PhotoLibrary.Change()

  mutating func add(_ next: PhotoLibrary.Change) {
    if next.isReload || change.isReload { return reload() }
    for id in next.inserted {
      if change.removed.remove(id) != nil {
        change.updated.insert(id)
      } else {
        change.inserted.insert(id)
      }
    }
    for id in next.removed {
      change.updated.remove(id)
      if change.inserted.remove(id) == nil { change.removed.insert(id) }
    }
    for id in next.updated where !change.inserted.contains(id) { change.updated.insert(id) }
    let count = change.inserted.count + change.removed.count + change.updated.count
    if count > Self.limit { reload() }
  }

  private mutating func reload() {
    change = PhotoLibrary.Change()
    change.isReload = true
  }

  mutating func take() -> PhotoLibrary.Change? {
    guard change != PhotoLibrary.Change() else { return nil }
    defer { change = PhotoLibrary.Change() }
    return change
  }
}

extension PhotoLibrary.Change {
  init(_ difference: LibraryCatalog.Difference) {
    self.init()
    let sets = [difference.inserted, difference.removed, difference.updated]
    // The names are not made where nobody would read them.
    let count = sets.reduce(0) { $0 + $1.count }
    guard !difference.hasOtherAlbums, count <= PendingChange.limit else {
      isReload = true
      return
    }
    inserted = Set(difference.inserted.map(\.percentEncoded))
    removed = Set(difference.removed.map(\.percentEncoded))
    updated = Set(difference.updated.map(\.percentEncoded))
  }
}
