import CAllocations
import CaptureKitLinux
import Dispatch
import Imaging
import Synchronization

/// A session that delivers a camera's frames as BGRA, one at a time.
final class FramesToBGRA: Sendable {
  private let backend: SteppedFrames
  private let session = CaptureSession()
  private let outputs: [CaptureVideoDataOutput]
  private let delivered = DispatchSemaphore(value: 0)
  private let last = Mutex<[UInt]>([])

  /// - Parameters:
  ///   - frames: What the camera sends in turn.
  ///   - consumers: How many outputs want the same frames.
  /// - Throws: What the session throws.
  init(_ frames: [ReadyFrame], consumers: Int = 1) async throws {
    backend = try SteppedFrames(frames)
    outputs = (0..<consumers).map { _ in CaptureVideoDataOutput() }
    for output in outputs {
      output.videoSettings = .pixelFormat(.bgra)
      try session.add(output)
    }
    let environment = CaptureEnvironment(backends: [backend])
    guard let camera = try await environment.devices().first else {
      throw BenchmarkFailure(description: "the benchmark's own camera is not found")
    }
    try session.setSessionPreset(.photo)
    try session.add(CaptureDeviceInput(device: camera))
    for output in outputs {
      output.setFrameHandler { [self] frame in
        let address = frame.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        last.withLock { $0.append(address) }
        delivered.signal()
      }
    }
    try await session.start()
  }

  /// Has one frame sent and waits for all consumers.
  func step() {
    last.withLock { $0.removeAll(keepingCapacity: true) }
    backend.step()
    for _ in outputs { delivered.wait() }
  }

  /// How many places in memory the last frame was delivered at.
  var places: Int { last.withLock { Set($0).count } }

  /// The next frame's pixels.
  func pixels() async -> [UInt8] {
    let loop = outputs[0].frames.makeAsyncIterator()
    step()
    return await loop.next()?.bytes.withUnsafeBytes { Array($0) } ?? []
  }

  /// Heap bytes by frame.
  func heapBytes() -> Double {
    let count = 50
    for _ in 0..<5 { step() }
    let before = cb_allocations_now()
    for _ in 0..<count { step() }
    return Double(cb_allocations_now().bytes - before.bytes) / Double(count)
  }

  func stop() async {
    for output in outputs { output.setFrameHandler(nil) }
    await session.stop()
  }
}
