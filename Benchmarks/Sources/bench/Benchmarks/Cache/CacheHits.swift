import Foundation

extension Benchmark {
  /// Finding one of a thousand pictures in memory.
  static let cacheHit1k = cacheHit("cache-hit-1k", entries: 1_000, usualRounds: 41)
  /// Finding one of a hundred thousand.
  static let cacheHit100k = cacheHit("cache-hit-100k", entries: 100_000, usualRounds: 21)

  private static let reads = 100_000

  private static func cacheHit(_ name: String, entries: Int, usualRounds: Int) -> Benchmark {
    Benchmark(name: name, usualRounds: usualRounds) { rounds in
      let work = try CacheWork(count: entries)
      let (ours, base) = (try StoreCache(), DictionaryCache())
      work.fill(ours, 0..<entries)
      work.fill(base, 0..<entries)
      var round = 0
      let pair = try await Pair.measure(rounds: rounds) {
        round += 1
        return cost(of: ours, work, round)
      } base: {
        cost(of: base, work, round)
      }
      var result = Measurement(
        pair: pair, unit: "ns", baseName: "Dictionary of Strings behind a Mutex", limit: 1.3)
      result.check(ours.diskHits == 0, "all were found in memory")
      result.notes.append(
        "beside it: \(figure(OurCache(totalCostLimit: .max), work)) ns the memory tier alone,"
          + " \(figure(TextbookCache(), work)) ns a textbook's LRU,"
          + " \(figure(StockCache(), work)) ns Foundation's NSCache")
      return result
    }
  }

  private static func cost(of cache: some PictureCache, _ work: CacheWork, _ seed: Int) -> Double {
    ProcessorClock.thread.cost(repeating: 1) { work.read(cache, reads, seed: seed) }
      / Double(reads) * 1000
  }

  /// The median of a few rounds.
  private static func figure(_ cache: some PictureCache, _ work: CacheWork) -> Int {
    // Equal costs, with which Foundation's fills in time.
    for (key, image) in zip(work.keys, work.images) { cache.setImage(image, forKey: key, cost: 0) }
    return Int(Samples((0..<5).map { cost(of: cache, work, $0) }).median)
  }
}
