import CaptureKitLinux
import Dispatch
import Imaging
import Synchronization

/// A backend whose only camera sends one frame and is then quiet, so that nothing else runs.
final class StillCamera: CaptureBackend {
  private let bytes: [UInt8]
  private let layout: PixelLayout

  init(yuyv: [UInt8], width: Int, height: Int) throws {
    guard let layout = PixelLayout(format: .yuyv, width: width, height: height) else {
      throw BenchmarkFailure(description: "no layout for \(width)x\(height)")
    }
    bytes = yuyv
    self.layout = layout
  }

  func devices() async throws -> [CaptureDeviceDescription] {
    let format = CaptureDevice.Format(
      .yuyv, dimensions: VideoDimensions(width: layout.width, height: layout.height))
    return [
      CaptureDeviceDescription(
        uniqueID: "still", localizedName: "Still camera", formats: [format])
    ]
  }

  func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    Stream(
      frame: CapturedFrame(
        bytes: bytes, layout: layout, sequence: 0,
        timestamp: FrameTimestamp(.now, .startOfExposure)))
  }

  private final class Stream: CaptureStream {
    private let frame: CapturedFrame
    private let isSent = Atomic<Bool>(false)
    private let quiet = DispatchSemaphore(value: 0)

    init(frame: CapturedFrame) { self.frame = frame }

    func start(_ format: CaptureFormat) throws {}

    func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
      if !isSent.exchange(true, ordering: .relaxed) { return frame }
      quiet.wait()
      return nil
    }

    func interrupt() { quiet.signal() }

    func stop() {}
  }
}
