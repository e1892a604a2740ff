import Glibc

/// Processor time, in microseconds.
enum ProcessorClock {
  /// The calling thread's alone.
  case thread
  /// That of all threads of this process.
  case process

  var now: Double {
    var time = timespec()
    clock_gettime(self == .thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// What a piece of work costs, by call, when it is repeated.
  func cost(repeating count: Int, _ work: () throws -> Void) rethrows -> Double {
    let start = now
    for _ in 0..<count { try work() }
    return (now - start) / Double(count)
  }
}

/// How long one waits for a piece of work, in microseconds.
func waited(for work: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try work()
  return start.duration(to: .now) / .microseconds(1)
}

/// What was measured of one thing, round by round.
struct Samples {
  private(set) var values: [Double] = []

  init(_ values: [Double] = []) { self.values = values }

  mutating func append(_ value: Double) { values.append(value) }

  /// Makes room beforehand, where a growing array would be measured too.
  mutating func reserve(_ count: Int) { values.reserveCapacity(count) }

  var median: Double { percentile(50) }

  /// Interpolated between neighbours, so that the median of two rounds is their mean.
  func percentile(_ percent: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let place = percent / 100 * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}

/// Ours and the base, measured side by side.
struct Pair {
  var ours = Samples()
  var base = Samples()

  /// Ours over the base of the same round.
  var ratios: Samples { Samples(zip(ours.values, base.values).map { $0 / $1 }) }

  /// Measures both in every round, in turn as the first one, after a round that does not count.
  ///
  /// - Parameters:
  ///   - rounds: How many rounds count.
  ///   - ours: Does our work once and says what it cost.
  ///   - base: The same for what we are held against.
  /// - Returns: What both cost, round by round.
  /// - Throws: What the work throws.
  static func measure(
    rounds: Int, ours: () async throws -> Double, base: () async throws -> Double
  ) async throws -> Pair {
    var pair = Pair()
    _ = try await ours()
    _ = try await base()
    for round in 0..<rounds {
      let early = round.isMultiple(of: 2) ? nil : try await base()
      pair.ours.append(try await ours())
      if let early { pair.base.append(early) } else { pair.base.append(try await base()) }
    }
    return pair
  }
}

/// Keeps the compiler from leaving out work whose result nobody reads.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: Value) {}

/// A figure within a sentence.
func hundredths(_ value: Double) -> String {
  guard value.isFinite else { return "?" }
  let whole = Int((abs(value) * 100).rounded())
  let part = whole % 100
  return "\(value < 0 ? "-" : "")\(whole / 100).\(part < 10 ? "0" : "")\(part)"
}
