import Foundation

extension Benchmark {
  /// What a hit costs while another thread reads too.
  static let cacheHitTwoThreads = Benchmark(name: "cache-hit-2t", usualRounds: 41) { rounds in
    let work = try CacheWork(count: entries)
    let (ours, shared) = (try StoreCache(), DictionaryCache())
    // Nothing in common but the machine.
    let apart = (DictionaryCache(), DictionaryCache())
    let others = try CacheWork(count: entries)
    for cache in [shared, apart.0] { work.fill(cache, 0..<entries) }
    others.fill(apart.1, 0..<entries)
    work.fill(ours, 0..<entries)

    var (pair, controls, oneLock) = (Pair(), Samples(), Samples())
    for round in 0..<rounds {
      let before = control(work, others, apart, round)
      let two = twice(
        { work.read(ours, reads, seed: round) }, { work.read(ours, reads, seed: -round) })
      let after = control(work, others, apart, round)
      let one = waited { work.read(ours, reads, seed: round) }
      let lock = twice(
        { work.read(shared, reads, seed: round) }, { work.read(shared, reads, seed: -round) })
      controls.append(max(before, after))
      guard max(before, after) < controlLimit else { continue }
      pair.ours.append(two / Double(2 * reads) * 1000)
      pair.base.append(one / Double(reads) * 1000)
      oneLock.append(lock / 2 / waited { work.read(shared, reads, seed: round) })
    }
    let (count, all) = (pair.ours.values.count, controls.values.count)
    let median = hundredths(controls.median)
    guard count * 4 >= all else {
      throw Unavailable(
        description: "no second core in \(all - count) of \(all) rounds: two threads with"
          + " nothing in common take \(median) × one")
    }
    var result = Measurement(
      pair: pair, unit: "ns", baseName: "one thread, both by the clock on the wall", limit: 0.8)
    result.notes.append(
      "control: two threads with nothing in common take \(median) × one; \(count) of \(all)"
        + " rounds had a second core")
    result.notes.append(
      "a Dictionary behind one Mutex: \(hundredths(oneLock.median)) × one thread")
    return result
  }

  private static let entries = 1_000
  private static let reads = 100_000
  /// Above this the second core was busy, or is none.
  private static let controlLimit = 1.2

  /// How much longer two threads need, each with work of its own, than one of them.
  private static func control(
    _ work: CacheWork, _ others: CacheWork, _ caches: (DictionaryCache, DictionaryCache),
    _ round: Int
  ) -> Double {
    let two = twice(
      { work.read(caches.0, reads / 2, seed: round) },
      { others.read(caches.1, reads / 2, seed: round) })
    return two / waited { work.read(caches.0, reads / 2, seed: round) }
  }

  /// How long two threads take together, in microseconds.
  private static func twice(
    _ first: @Sendable () -> Void, _ second: @Sendable () -> Void
  ) -> Double {
    waited {
      DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? first() : second() }
    }
  }
}
