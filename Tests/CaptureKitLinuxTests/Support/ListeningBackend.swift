import CaptureKitLinux
import Synchronization

/// A source without cameras that counts who looks and who listens.
final class ListeningBackend: CaptureBackend {
  struct Counts: Equatable {
    var looks = 0
    var begun = 0
    var ended = 0
  }

  private let counter = Mutex(Counts())
  private let steps: AsyncStream<Void>
  private let step: AsyncStream<Void>.Continuation
  private let error: CaptureError?

  init(_ error: CaptureError? = nil) {
    self.error = error
    (steps, step) = AsyncStream<Void>.makeStream()
  }

  var counts: Counts { counter.withLock { $0 } }

  /// Waits until somebody begins or ends to listen.
  func next() async {
    for await _ in steps { return }
  }

  func devices() async throws -> [CaptureDeviceDescription] {
    counter.withLock { $0.looks += 1 }
    return []
  }

  func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    throw CaptureError.noDevice
  }

  func changes() -> AsyncStream<CaptureBackendEvent> {
    counter.withLock { $0.begun += 1 }
    return AsyncStream { continuation in
      if let error { continuation.yield(.isDelayed(error)) }
      continuation.onTermination = { [self] _ in
        counter.withLock { $0.ended += 1 }
        step.yield()
      }
      step.yield()
    }
  }
}
