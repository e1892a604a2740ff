import LinuxSystem
import Synchronization

/// A shelf behind gates, each with a lock of its own: whoever reads passes through one, whoever
/// changes the shelf locks all.
///
/// Readers on different processors pass through different gates and so write to no memory in
/// common: to fetch a lock from another processor's cache would take longer than to find a value.
/// Changes are made by one thread at a time; ``MemoryStorage`` sees to that.
struct Bay: ~Copyable, Sendable {
  typealias Object = Shelf.Object

  /// How often somebody asked for a key.
  struct Requests: Hashable, Sendable {
    var hits = 0
    var misses = 0
  }

  private struct Gate: ~Copyable, Sendable {
    let requests = Mutex(Requests())
    /// Begins where a line of the processor's cache does, and so the next gate does, too.
    private let edge = SIMD8<UInt64>()
  }

  private let gates: InlineArray<4, Gate> = InlineArray { _ in Gate() }
  private let shelf = Shelf()

  /// A key's value, which is noted as used.
  func use(_ key: String, _ tag: UInt32) -> Object? {
    gates[Processor.current % gates.count].requests.withLock { requests in
      guard let value = shelf.use(key, tag) else {
        requests.misses &+= 1
        return nil
      }
      requests.hits &+= 1
      return value
    }
  }

  /// A key's node in the order of eviction; for those who change shelves.
  func node(of key: String, _ tag: UInt32) -> Int32? { shelf.node(of: key, tag) }

  /// Changes the shelf while nobody reads it.
  func change<Result>(_ body: (Shelf) -> Result) -> Result {
    gates[0].requests.withLock { _ in
      gates[1].requests.withLock { _ in
        gates[2].requests.withLock { _ in
          gates[3].requests.withLock { _ in body(shelf) }
        }
      }
    }
  }

  /// How often somebody has asked so far.
  var requests: Requests {
    var sum = Requests()
    for index in gates.indices {
      let part = gates[index].requests.withLock { $0 }
      sum.hits &+= part.hits
      sum.misses &+= part.misses
    }
    return sum
  }
}
