extension Benchmark {
  /// How often a picture is found, with room for a tenth of them. No time is measured, so one round is enough.
  static let cacheHitRate = Benchmark(name: "cache-hit-rate", usualRounds: 1) { _ in
    let work = try CacheWork(count: keys)
    var (worst, notes): ((ours: Double, exact: Double)?, [String]) = (nil, [])
    for (name, trace) in [
      ("zipf 0.9", CacheTrace.zipf(keys: keys, count: 60_000)),
      ("scrolling", CacheTrace.scrolling(rows: keys, count: 60_000)),
    ] {
      let ours = misses(OurCache(countLimit: room), trace, work)
      // A textbook's LRU is an exact one.
      let exact = misses(TextbookCache(countLimit: room), trace, work)
      let stock = misses(StockCache(countLimit: room), trace, work)
      let byCost = (
        misses(OurCache(totalCostLimit: room * 100_000), trace, work, work.costs),
        misses(TextbookCache(totalCostLimit: room * 100_000), trace, work, work.costs)
      )
      if worst.map({ ours - exact > $0.ours - $0.exact }) ?? true { worst = (ours, exact) }
      notes.append(
        "\(name): \(found(ours)) are found, \(found(exact)) by an exact LRU, \(found(stock)) by"
          + " Foundation's NSCache; with random costs \(found(byCost.0)) and \(found(byCost.1))")
    }
    let figures = worst ?? (.nan, .nan)
    let pair = Pair(ours: Samples([figures.ours]), base: Samples([figures.exact + 10]))
    var result = Measurement(
      pair: pair, unit: "‰",
      baseName: "misses of an exact LRU and ten more, on the trace that is worst for us", limit: 1)
    result.notes = notes
    let survivors = try survivors()
    result.check(
      survivors >= 99, "\(survivors) % of a hot set survive one scan of ten times the room")
    return result
  }

  private static let keys = 2_000
  private static let room = 200

  private static func found(_ misses: Double) -> String { hundredths((1000 - misses) / 10) + " %" }

  /// Of a thousand requests.
  private static func misses(
    _ cache: some PictureCache, _ trace: [Int], _ work: CacheWork, _ costs: [Int]? = nil
  ) -> Double {
    var misses = 0
    for index in trace where cache.image(forKey: work.keys[index]) == nil {
      misses += 1
      cache.setImage(work.images[index], forKey: work.keys[index], cost: costs?[index] ?? 1)
    }
    return Double(misses) / Double(trace.count) * 1000
  }

  /// How many percent of a hot set of half of the room are there after a scan.
  private static func survivors() throws -> Int {
    let work = try CacheWork(count: room / 2 + room * 10)
    let cache = OurCache(countLimit: room)
    let hot = Array(0..<room / 2)
    _ = misses(cache, hot + hot + Array(hot.count..<work.keys.count), work)
    return hot.count { cache.image(forKey: work.keys[$0]) != nil } * 100 / hot.count
  }
}
