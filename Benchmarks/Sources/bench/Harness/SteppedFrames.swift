import CaptureKitLinux
import Dispatch
import Synchronization

/// A backend whose only camera sends one ready frame each time that it is told to.
final class SteppedFrames: CaptureBackend {
  private let format: CaptureDevice.Format
  private let frames: [ReadyFrame]
  private let permits = DispatchSemaphore(value: 0)

  /// - Parameter frames: What it sends in turn.
  /// - Throws: Where there are none.
  init(_ frames: [ReadyFrame]) throws {
    guard let first = frames.first else { throw BenchmarkFailure(description: "no frames") }
    self.frames = frames
    format = CaptureDevice.Format(first.pixelFormat, dimensions: first.dimensions)
  }

  /// Has the next frame sent.
  func step() { permits.signal() }

  func devices() async throws -> [CaptureDeviceDescription] {
    [CaptureDeviceDescription(uniqueID: "steps", localizedName: "Steps", formats: [format])]
  }

  func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    Stream(frames: frames, permits: permits)
  }

  private final class Stream: CaptureStream {
    private let frames: [ReadyFrame]
    private let permits: DispatchSemaphore
    private let sequence = Atomic<UInt64>(0)
    private let isInterrupted = Atomic<Bool>(false)

    init(frames: [ReadyFrame], permits: DispatchSemaphore) {
      self.frames = frames
      self.permits = permits
    }

    func start(_ format: CaptureFormat) throws {}

    func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
      permits.wait()
      if isInterrupted.exchange(false, ordering: .relaxed) { return nil }
      let number = sequence.wrappingAdd(1, ordering: .relaxed).oldValue
      return frames[Int(number % UInt64(frames.count))].frame(number)
    }

    func interrupt() {
      isInterrupted.store(true, ordering: .relaxed)
      permits.signal()
    }

    func stop() {}
  }
}
