import Imaging
import Synchronization
import Video4Linux

/// One opened camera of the kernel.
final class Video4LinuxStream: CaptureStream {
  private let stream: VideoStream
  private let shape = Mutex<FrameShape?>(nil)
  private let spares = SpareFrames()
  private let transientErrors = Atomic<UInt64>(0)

  init(_ stream: VideoStream) {
    self.stream = stream
  }

  var deliveredFormat: CaptureFormat? { shape.withLock { $0?.format } }

  func start(_ format: CaptureFormat) throws {
    let request = StreamRequest(
      fourcc: FourCC(rawValue: format.pixelFormat.rawValue),
      size: FrameSize(
        width: UInt32(clamping: format.dimensions.width),
        height: UInt32(clamping: format.dimensions.height)),
      interval: format.frameDuration.flatMap {
        FrameInterval(numerator: $0.numerator, denominator: $0.denominator)
      })
    let settings = try translatingErrors { () throws(VideoNodeError) in
      try stream.start(request)
    }
    shape.withLock { $0 = FrameShape(settings) }
  }

  func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
    guard let shape = shape.withLock({ $0 }) else { return nil }
    let wait = max(.zero, ContinuousClock.now.duration(to: deadline))
    let end = UInt64(clamping: HostTime.now.advanced(by: wait).nanoseconds)
    while true {
      let next = try translatingErrors { () throws(VideoNodeError) in
        try stream.nextFrame(deadline: end)
      }
      switch next {
      case .frame(let leased):
        let frame = shape.frame(leased)
        // What is damaged nobody keeps.
        guard stream.queuedCount < shape.fewestQueued, frame.dropReason == nil else { return frame }
        return spares.copy(frame)
          ?? CapturedFrame(
            dropped: .outOfBuffers, format: shape.format, sequence: frame.sequence,
            timestamp: frame.timestamp)
      case .timedOut, .interrupted: return nil
      case .transient: transientErrors.add(1, ordering: .relaxed)
      case .sourceChanged: throw CaptureError(.sourceChanged)
      case .privacyShutterClosed:
        throw CaptureError(
          .privacyShutter, "The privacy shutter of \(stream.node.path) was closed: open it.")
      case .ended:
        throw CaptureError(
          .streamFailed, "\(stream.node.path) says that no more pictures will come.")
      }
    }
  }

  var transientErrorCount: UInt64 { transientErrors.load(ordering: .relaxed) }

  func interrupt() {
    stream.interrupt()
  }

  func stop() {
    stream.stop()
  }
}
