import CAllocations
import CaptureKitLinux
import Synchronization

/// An output that does nothing with its frames but count them, and looks at the clock now and then.
final class HandoverMeter: CaptureOutput {
  struct Findings {
    /// A frame's cost, round by round; of all threads.
    var microseconds = Samples()
    /// Heap blocks by frame, and their bytes by frame.
    var allocations = 0.0
    var bytes = 0.0
    /// Frames whose bytes lie elsewhere than the backend's.
    var strangers = 0
  }

  /// Ends when enough frames have come.
  let finished: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation
  private let rounds: Int
  private let addresses: Set<UInt>
  private let state = Mutex(State())

  private struct State {
    var frames = 0
    var roundStart = 0.0
    var heapStart = cb_allocations()
    var findings = Findings()
  }

  private static let framesInRound = 2_000

  init(rounds: Int, addresses: Set<UInt>) {
    self.rounds = rounds
    self.addresses = addresses
    (finished, end) = AsyncStream.makeStream()
  }

  var findings: Findings { state.withLock { $0.findings } }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    let address = frame.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    let isKnown = addresses.contains(address)
    let isLast = state.withLock { state in
      if !isKnown { state.findings.strangers += 1 }
      return count(&state)
    }
    if isLast { end.finish() }
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    end.finish()
  }

  /// The first round warms up and does not count.
  private func count(_ state: inout State) -> Bool {
    defer { state.frames += 1 }
    let (round, frame) = state.frames.quotientAndRemainder(dividingBy: Self.framesInRound)
    guard frame == 0, (1...rounds + 1).contains(round) else { return false }
    let now = ProcessorClock.process.now
    if round == 1 {
      state.findings.microseconds.reserve(rounds)
      state.heapStart = cb_allocations_now()
    } else {
      state.findings.microseconds.append((now - state.roundStart) / Double(Self.framesInRound))
    }
    state.roundStart = now
    guard round == rounds + 1 else { return false }
    let heap = cb_allocations_now()
    let frames = Double(rounds * Self.framesInRound)
    state.findings.allocations = Double(heap.count - state.heapStart.count) / frames
    state.findings.bytes = Double(heap.bytes - state.heapStart.bytes) / frames
    return true
  }
}
