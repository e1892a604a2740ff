import Dispatch
import Imaging
import Synchronization

typealias LoadOutcome = Result<Image?, ImageStoreError>

/// What somebody who waits for a load is told.
enum LoadAnswer: Sendable {
  case loaded(LoadOutcome)
  /// The picture has been changed meanwhile: ask anew.
  case overtaken
  /// The task that waits has been cancelled.
  case cancelled
}

/// Somebody who waits for one answer, in a thread or in a task.
final class LoadWaiter: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<LoadAnswer, Never>)
    case answered(LoadAnswer)
    case over
  }

  private let state = Mutex(State.open)
  private let isAnswered = DispatchSemaphore(value: 0)

  /// The first answer counts.
  func answer(_ answer: LoadAnswer) {
    let continuation = state.withLock { state -> CheckedContinuation<LoadAnswer, Never>? in
      switch state {
      case .open: state = .answered(answer)
      case .waiting(let continuation):
        state = .over
        return continuation
      case .answered, .over: break
      }
      return nil
    }
    continuation?.resume(returning: answer)
    isAnswered.signal()
  }

  /// Blocks the thread until there is an answer.
  /// - Parameter patience: How long at most.
  /// - Returns: nil where there was none in that time.
  func wait(for patience: DispatchTimeInterval) -> LoadAnswer? {
    guard isAnswered.wait(timeout: .now() + patience) == .success else { return nil }
    return state.withLock { state in
      if case .answered(let answer) = state { answer } else { .overtaken }
    }
  }

  /// Suspends the task until there is an answer.
  func answer() async -> LoadAnswer {
    await withCheckedContinuation { continuation in
      let early = state.withLock { state -> LoadAnswer? in
        if case .answered(let answer) = state { return answer }
        state = .waiting(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }
  }
}
