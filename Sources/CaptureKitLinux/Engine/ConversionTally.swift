import Synchronization

/// How many frames of a camera were converted; counted by whoever asks for their pixels, on any
/// thread.
final class ConversionTally: Sendable {
  private let conversions = Atomic<UInt64>(0)
  private let failures = Atomic<UInt64>(0)

  var converted: UInt64 { conversions.load(ordering: .relaxed) }
  var failed: UInt64 { failures.load(ordering: .relaxed) }

  func count(isSuccess: Bool) {
    if isSuccess {
      conversions.add(1, ordering: .relaxed)
    } else {
      failures.add(1, ordering: .relaxed)
    }
  }
}
