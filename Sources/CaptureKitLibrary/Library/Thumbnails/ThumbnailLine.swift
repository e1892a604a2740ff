/// Who waits for which thumbnails, and which is made next: the one that was asked for last, since
/// that is what somebody looks at. Each is made once for all who wait. Without side effects.
struct ThumbnailLine<Request: Hashable & Sendable, Waiter> {
  private struct Flight {
    var waiters: [UInt64: Waiter] = [:]
    var isRunning = false
  }

  /// How many are made at the same time.
  let width: Int
  private var flights: [Request: Flight] = [:]
  /// Those that are not begun, the newest last.
  private var line: [Request] = []
  private var runningCount = 0
  private var nextNumber: UInt64 = 0
  private var requests: [UInt64: Request] = [:]
  /// Those who left before they came: a task may be cancelled at any moment.
  private var early: Set<UInt64> = []

  init(width: Int) { self.width = width }

  mutating func newNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  enum Joined { case waits, needsWorker, hasLeft(Waiter) }

  /// Somebody waits.
  mutating func join(_ request: Request, _ number: UInt64, _ waiter: Waiter) -> Joined {
    if early.remove(number) != nil { return .hasLeft(waiter) }
    requests[number] = request
    let isNew = flights[request] == nil
    flights[request, default: Flight()].waiters[number] = waiter
    if isNew { line.append(request) }
    guard isNew, runningCount < width else { return .waits }
    runningCount += 1
    return .needsWorker
  }

  /// Somebody waits no longer. What nobody waits for is not begun.
  mutating func leave(_ number: UInt64) -> Waiter? {
    guard let request = requests.removeValue(forKey: number) else {
      early.insert(number)
      return nil
    }
    let waiter = flights[request]?.waiters.removeValue(forKey: number)
    if let flight = flights[request], flight.waiters.isEmpty, !flight.isRunning {
      flights[request] = nil
      line.removeAll { $0 == request }
    }
    return waiter
  }

  /// What a worker makes next; nil where it is to end.
  mutating func next() -> Request? {
    guard let request = line.popLast() else {
      runningCount -= 1
      return nil
    }
    flights[request]?.isRunning = true
    return request
  }

  /// A thumbnail was made, or could not be.
  mutating func finish(_ request: Request) -> [Waiter] {
    let waiters = flights.removeValue(forKey: request)?.waiters ?? [:]
    for number in waiters.keys { requests[number] = nil }
    return Array(waiters.values)
  }

  /// The call of this number is over.
  mutating func end(_ number: UInt64) { early.remove(number) }
}
