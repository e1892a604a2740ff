extension Benchmark {
  /// Keeping one picture more where there are many: new keys and random costs, with room for them.
  static let cacheSet41k = Benchmark(name: "cache-set-41k", usualRounds: 101) { rounds in
    let many = try SetWork(entries: 41_600, rounds: rounds + 1)
    let few = try SetWork(entries: 1_000, rounds: rounds + 1)
    let (large, small) = (OurCache(totalCostLimit: .max), OurCache(totalCostLimit: .max))
    many.fill(large)
    few.fill(small)
    var (round, baseRound) = (-1, -1)
    let pair = try await Pair.measure(rounds: rounds) {
      round += 1
      return many.set(large, round)
    } base: {
      baseRound += 1
      return few.set(small, baseRound)
    }
    var result = Measurement(
      pair: pair, unit: "ns", baseName: "the same at 1 000 entries", limit: 1.3)
    result.notes.append(
      "where each throws out another: \(evicting(many)) ns, and \(evicting(few)) ns at 1 000 entries"
    )
    let textbook = TextbookCache()
    many.fill(textbook)
    result.notes.append(
      "beside it at 41 600: \(Int(Samples((0..<5).map { many.set(textbook, $0) }).median)) ns a"
        + " textbook's LRU; at 4 000 already \(stock(many)) ns Foundation's NSCache")
    return result
  }

  /// A round of sets in a cache that is full.
  private static func evicting(_ work: SetWork) -> Int {
    let cache = OurCache(totalCostLimit: work.entries * 100_000)
    work.fill(cache)
    return Int(
      Samples((0..<work.rounds).map { work.set(cache, $0, isToBeUndone: false) }).median)
  }

  /// Foundation's looks through its entries for each set; 41 600 of them take half a minute to fill in.
  private static func stock(_ work: SetWork) -> Int {
    let cache = StockCache(totalCostLimit: .max)
    work.work.fill(cache, 0..<4_000)
    return Int(Samples((0..<3).map { work.set(cache, $0) }).median)
  }
}

/// Some entries, and new ones for each round.
private struct SetWork {
  static let sets = 250

  let entries: Int
  let rounds: Int
  let work: CacheWork

  init(entries: Int, rounds: Int) throws {
    (self.entries, self.rounds) = (entries, rounds)
    work = try CacheWork(count: entries + rounds * Self.sets)
  }

  func fill(_ cache: some PictureCache) { work.fill(cache, 0..<entries) }

  /// Nanoseconds for each of a round's keys, which then go again.
  func set(_ cache: some PictureCache, _ round: Int, isToBeUndone: Bool = true) -> Double {
    let range = entries + round * Self.sets..<entries + (round + 1) * Self.sets
    let time = ProcessorClock.thread.cost(repeating: 1) { work.fill(cache, range) }
    if isToBeUndone { for key in work.keys[range] { cache.deleteImage(forKey: key) } }
    return time / Double(Self.sets) * 1000
  }
}
