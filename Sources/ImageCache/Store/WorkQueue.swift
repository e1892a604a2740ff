import Dispatch
import Synchronization

/// Runs what waits for the disk beside Swift's own threads, a few pieces at a time.
///
/// The line has no bound of its own: behind each piece is a task that waits for it, and reading
/// ahead has one piece at a time for each call. Who starts tasks without bound has the picture of
/// each in memory before a line of closures matters.
final class WorkQueue: Sendable {
  enum Urgency: Sendable {
    /// Somebody waits.
    case wanted
    /// Somebody may want it later: done when nothing else is.
    case ahead
  }

  typealias Work = @Sendable () -> Void

  private struct State {
    var runningCount = 0
    var wanted = Line()
    var ahead = Line()

    mutating func next() -> Work? {
      if let work = wanted.popFirst() ?? ahead.popFirst() { return work }
      runningCount -= 1
      return nil
    }
  }

  /// What waits, the oldest in front. Adding and taking need the same time however long it is.
  private struct Line {
    private var works: [Work?] = []
    /// Those in front of it are gone.
    private var first = 0

    mutating func append(_ work: @escaping Work) { works.append(work) }

    mutating func popFirst() -> Work? {
      guard first < works.count else { return nil }
      defer {
        works[first] = nil
        first += 1
        if first * 2 > works.count {
          works.removeFirst(first)
          first = 0
        }
      }
      return works[first]
    }
  }

  private let width: Int
  private let queue = DispatchQueue(label: "ImageStore", attributes: .concurrent)
  private let state = Mutex(State())

  /// - Parameter width: The most pieces of work that run at the same time.
  init(width: Int) { self.width = width }

  func submit(_ urgency: Urgency, _ work: @escaping Work) {
    let needsThread = state.withLock { state in
      switch urgency {
      case .wanted: state.wanted.append(work)
      case .ahead: state.ahead.append(work)
      }
      guard state.runningCount < width else { return false }
      state.runningCount += 1
      return true
    }
    if needsThread { queue.async { self.run() } }
  }

  private func run() {
    while let work = state.withLock({ $0.next() }) { work() }
  }
}
