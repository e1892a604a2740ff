import CaptureKitLinux
import Imaging
import Synchronization

/// A backend whose only camera has every frame ready, in arrays of its own.
final class ReadyFrames: CaptureBackend {
  private let layout: PixelLayout
  private let frames: [[UInt8]]
  private let format: CaptureDevice.Format

  init(_ dimensions: VideoDimensions) throws {
    guard
      let layout = PixelLayout(
        format: .yuyv, width: dimensions.width, height: dimensions.height)
    else { throw BenchmarkFailure(description: "no layout for \(dimensions)") }
    self.layout = layout
    frames = (1...4).map { number in
      [UInt8](repeating: UInt8(50 * number), count: layout.byteCount(ofBlock: 0))
    }
    format = CaptureDevice.Format(.yuyv, dimensions: dimensions)
  }

  /// Where the frames' bytes lie.
  var addresses: Set<UInt> {
    Set(frames.map { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } })
  }

  func devices() async throws -> [CaptureDeviceDescription] {
    [CaptureDeviceDescription(uniqueID: "ready", localizedName: "Ready frames", formats: [format])]
  }

  func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    Stream(layout: layout, frames: frames)
  }

  private final class Stream: CaptureStream {
    private let layout: PixelLayout
    private let frames: [[UInt8]]
    private let sequence = Atomic<UInt64>(0)
    private let isInterrupted = Atomic<Bool>(false)

    init(layout: PixelLayout, frames: [[UInt8]]) {
      self.layout = layout
      self.frames = frames
    }

    func start(_ format: CaptureFormat) throws {}

    func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
      if isInterrupted.exchange(false, ordering: .relaxed) { return nil }
      let number = sequence.wrappingAdd(1, ordering: .relaxed).oldValue
      return CapturedFrame(
        bytes: frames[Int(number % UInt64(frames.count))], layout: layout, sequence: number,
        timestamp: FrameTimestamp(.now, .startOfExposure))
    }

    func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    func stop() {}
  }
}
