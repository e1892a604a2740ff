import Foundation
import Imaging

/// Keys and pictures for caches, the same in each run.
struct CacheWork: Sendable {
  let keys: [String]
  let images: [Image]
  let costs: [Int]

  /// - Parameter count: How many; keys are as long as UUIDs.
  /// - Throws: `BenchmarkFailure` where no picture could be made.
  init(count: Int) throws {
    var random = TraceRandom(seed: 99)
    keys = (0..<count).map { _ in random.uuid() }
    // All the same pixel: what matters is that each picture is an object of its own.
    guard let layout = PixelLayout(format: .grey, width: 1, height: 1),
      let pixel = PixelBuffer(layout: layout, bytes: [128])
    else { throw BenchmarkFailure(description: "no picture could be made") }
    images = keys.map { _ in Image(pixel) }
    costs = keys.map { _ in 50_000 + random.below(100_000) }
  }

  func fill(_ cache: some PictureCache, _ range: Range<Int>) {
    for index in range { cache.setImage(images[index], forKey: keys[index], cost: costs[index]) }
  }

  /// Reads keys in random order. Generic, so that each cache is called without a detour.
  func read(_ cache: some PictureCache, _ count: Int, seed: Int) {
    var random = TraceRandom(seed: UInt64(truncatingIfNeeded: seed &* 77_777 &+ 1))
    var found = 0
    for _ in 0..<count {
      if cache.image(forKey: keys[random.below(keys.count)]) != nil { found += 1 }
    }
    blackHole(found)
  }
}

/// Numbers that are the same in each run (xorshift).
struct TraceRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ limit: Int) -> Int { Int(next() >> 1) % limit }

  mutating func uuid() -> String {
    let (a, b) = (next(), next())
    return String(
      format: "%08X-%04X-%04X-%04X-%012llX", UInt32(truncatingIfNeeded: a >> 32),
      UInt32(truncatingIfNeeded: a >> 16 & 0xffff), UInt32(truncatingIfNeeded: a & 0xffff),
      UInt32(truncatingIfNeeded: b >> 48), b & 0xffff_ffff_ffff)
  }
}

/// Which keys are asked for, one after the other.
enum CacheTrace {
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
}
