/// Tells a fault that repeats once at its beginning and once at its end; pure.
struct RepeatedFaults: Sendable {
  /// A fault that is over.
  struct Ended: Equatable, Sendable {
    let code: CaptureDiagnostic.Code
    let count: UInt64
  }

  /// So long without it, and a fault is over.
  static let quiet = Duration.seconds(5)

  private struct Run {
    let code: CaptureDiagnostic.Code
    var count: UInt64
    var lastTime: HostTime
  }

  /// A handful: an array is faster than a dictionary, and empty most often.
  private var runs: [Run] = []

  /// A fault has happened.
  ///
  /// - Returns: Whether it is the first of its run, and to be told.
  mutating func happened(
    _ code: CaptureDiagnostic.Code, count: UInt64 = 1, at now: HostTime
  ) -> Bool {
    guard let index = runs.firstIndex(where: { $0.code == code }) else {
      runs.append(Run(code: code, count: count, lastTime: now))
      return true
    }
    runs[index].count &+= count
    runs[index].lastTime = now
    return false
  }

  /// Takes the runs that are over; those that were told once are told no more.
  ///
  /// - Parameter now: This moment; nil where the camera has ended, and all is over.
  /// - Returns: Those that happened more than once.
  mutating func takeEnded(at now: HostTime?) -> [Ended] {
    guard !runs.isEmpty else { return [] }
    let isOver = { (run: Run) in
      now.map { run.lastTime.duration(to: $0) >= Self.quiet } ?? true
    }
    let over = runs.filter(isOver)
    runs.removeAll(where: isOver)
    return over.filter { $0.count > 1 }.map { Ended(code: $0.code, count: $0.count) }
  }
}
