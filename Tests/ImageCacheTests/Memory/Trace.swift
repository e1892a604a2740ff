import Foundation

/// A value that is nothing but itself.
final class Token: Sendable {}

/// Numbers that are the same in each run (xorshift), and in `Benchmarks`, whose traces these are.
private struct TraceRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ limit: Int) -> Int { Int(next() >> 1) % limit }
}

/// Which keys are asked for, one after the other.
enum Trace {
  /// Keys of which the n-th is asked for n^0.9 times less often than the first.
  static func zipf(keys: Int, count: Int) -> [Int] {
    var random = TraceRandom(seed: 12345)
    var sums: [Double] = []
    for rank in 1...keys { sums.append((sums.last ?? 0) + 1 / pow(Double(rank), 0.9)) }
    let whole = sums.last ?? 0
    return (0..<count).map { _ in
      let wished = Double(random.next() >> 12) / Double(1 << 52) * whole
      var (low, high) = (0, keys - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] < wished { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// A list of which twenty rows are seen, and which goes up and down by three.
  static func scrolling(rows: Int, count: Int) -> [Int] {
    var random = TraceRandom(seed: 12345)
    var (trace, first, step): ([Int], Int, Int) = ([], 0, 3)
    while trace.count < count {
      if random.below(30) == 0 { step = -step }
      first = max(0, min(rows - 20, first + step))
      trace += first..<first + 20
    }
    return trace
  }

  /// What a cache finds that throws out exactly what was used longest ago.
  static func hitRateOfExactLRU(_ trace: [Int], room: Int) -> Double {
    var (lastUse, keys, oldest, hits): ([Int: Int], [Int: Int], Int, Int) = ([:], [:], 0, 0)
    for (time, key) in trace.enumerated() {
      if let last = lastUse[key] {
        hits += 1
        keys[last] = nil
      }
      lastUse[key] = time
      keys[time] = key
      while lastUse.count > room {
        while keys[oldest] == nil { oldest += 1 }
        if let key = keys.removeValue(forKey: oldest) { lastUse[key] = nil }
      }
    }
    return Double(hits) / Double(trace.count)
  }
}
