import AVFoundationCompat
import CaptureKitMocks
import Testing

/// A session with one camera, as ported code makes it.
struct Studio {
  let camera: MockCamera
  let session = AVCaptureSession()
  let device: AVCaptureDevice

  init(_ camera: MockCamera = MockCamera(frames: .testPattern(.mjpeg, width: 320, height: 240)))
    async throws
  {
    self.camera = camera
    device = try await onMachine(with: [camera]) {
      try #require(AVCaptureDevice.default(for: .video))
    }
    session.addInput(try AVCaptureDeviceInput(device: device))
  }

  /// Runs a video data output until a number of frames, and drops, have come.
  func sampleBuffers(
    of output: AVCaptureVideoDataOutput = AVCaptureVideoDataOutput(), count: Int = 1,
    on queue: DispatchQueue? = DispatchQueue(label: "frames")
  ) async throws -> [CMSampleBuffer] {
    let collector = Collector()
    output.setSampleBufferDelegate(collector, queue: queue)
    session.addOutput(output)
    session.startRunning()
    try await wait { collector.buffers.count >= count }
    session.stopRunning()
    session.removeOutput(output)
    return collector.buffers
  }

  /// A frame as BGRA.
  func pixelBuffer() async throws -> CVPixelBuffer {
    let output = AVCaptureVideoDataOutput()
    output.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
    ]
    return try #require(try await sampleBuffers(of: output)[0].imageBuffer)
  }

  /// Takes a photo; what it has become, and the error.
  func photo(_ settings: AVCapturePhotoSettings) async -> (AVCapturePhoto, Error?) {
    let output = AVCapturePhotoOutput()
    session.addOutput(output)
    session.startRunning()
    let taken = await withCheckedContinuation { continuation in
      output.capturePhoto(with: settings, delegate: Taker { continuation.resume(returning: $0) })
    }
    session.stopRunning()
    session.removeOutput(output)
    return taken
  }
}

class Collector: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
  private let lock = NSLock()
  private var collected = [CMSampleBuffer]()
  private var dropped = [CMSampleBuffer]()

  var buffers: [CMSampleBuffer] { lock.withLock { collected } }
  var drops: [CMSampleBuffer] { lock.withLock { dropped } }
  var onFrame: () -> Void = {}

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    onFrame()
    if output is AVCaptureVideoDataOutput { lock.withLock { collected.append(sampleBuffer) } }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    lock.withLock { dropped.append(sampleBuffer) }
  }
}

class Taker: NSObject, AVCapturePhotoCaptureDelegate {
  private let completion: ((AVCapturePhoto, Error?)) -> Void

  init(completion: @escaping ((AVCapturePhoto, Error?)) -> Void) {
    self.completion = completion
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: Error?
  ) {
    completion((photo, error))
  }
}
