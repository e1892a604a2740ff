import Dispatch
import Synchronization

/// Runs what waits for the disk beside Swift's own threads, a few pieces at a time.
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
    var wanted: [Work] = []
    var ahead: [Work] = []

    mutating func next() -> Work? {
      if !wanted.isEmpty { return wanted.removeFirst() }
      if !ahead.isEmpty { return ahead.removeFirst() }
      runningCount -= 1
      return nil
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
