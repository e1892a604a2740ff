import CaptureKitLinux
import Dispatch
import Synchronization

/// An output that can hold the camera's thread up, so that old frames wait in the driver's queue.
final class LabGate: CaptureOutput {
  private let isToClose = Atomic(false)
  private let gate = DispatchSemaphore(value: 0)
  private let (stream, tick) = AsyncStream<Void>.makeStream()

  /// Returns when a frame stands at the closed gate.
  func close() async {
    isToClose.store(true, ordering: .relaxed)
    for await _ in stream { return }
  }

  func open() { gate.signal() }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    guard isToClose.exchange(false, ordering: .relaxed) else { return }
    tick.yield()
    gate.wait()
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    tick.finish()
  }
}
