import Synchronization

/// Counts what consumers keep, so that they keep no more than a bound.
final class FrameAllowance: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts as one as long as it lives.
  private final class Ticket: Sendable {
    private let allowance: FrameAllowance

    init(of allowance: FrameAllowance) {
      self.allowance = allowance
    }

    deinit {
      allowance.count.subtract(1, ordering: .relaxed)
    }
  }

  /// What a kept thing is to hold; nil where too many are kept.
  func ticket() -> (any AnyObject & Sendable)? {
    let isTooMany = count.add(1, ordering: .relaxed).newValue > limit
    let ticket = Ticket(of: self)
    return isTooMany ? nil : ticket
  }
}
