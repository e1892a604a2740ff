import AVFoundationCompat
import CaptureKitMocks
import Dispatch
import Testing

/// The rows of “Differences from AVFoundation” about several cameras.
extension PortedCodeTests {
  struct SeveralCamerasDifferencesTests {
    /// What code for two cameras does on Apple's systems.
    private final class Stereo: NSObject, AVCaptureDataOutputSynchronizerDelegate,
      AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable
    {
      let session = AVCaptureMultiCamSession()
      let outputs = [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()]
      lazy var synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
      private let lock = NSLock()
      private var pairs: [[Int]] = []
      private var ownCalls = 0

      var seen: [[Int]] { lock.withLock { pairs } }
      var ownCallCount: Int { lock.withLock { ownCalls } }

      func start(_ devices: [AVCaptureDevice]) throws {
        session.beginConfiguration()
        for device in devices { session.addInput(try AVCaptureDeviceInput(device: device)) }
        for (output, device) in zip(outputs, devices) {
          session.addOutput(output)
          for connection in output.connections {
            connection.isEnabled = connection.input.device === device
          }
        }
        session.commitConfiguration()
        outputs[0].setSampleBufferDelegate(self, queue: DispatchQueue(label: "own"))
        synchronizer.setDelegate(self, queue: DispatchQueue(label: "both"))
        session.startRunning()
      }

      func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer,
        didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
      ) {
        let widths = outputs.map { output -> Int in
          let data = synchronizedDataCollection.synchronizedData(for: output)
          guard let data = data as? AVCaptureSynchronizedSampleBufferData,
            !data.sampleBufferWasDropped, data.timestamp.isValid,
            let pixels = CMSampleBufferGetImageBuffer(data.sampleBuffer)
          else { return 0 }
          return CVPixelBufferGetWidth(pixels)
        }
        let count = synchronizedDataCollection.reduce(0) { count, _ in count + 1 }
        lock.withLock { if count == synchronizedDataCollection.count { pairs.append(widths) } }
      }

      func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
      ) {
        lock.withLock { ownCalls += 1 }
      }
    }

    private func cameras() -> [MockCamera] {
      [64, 96].map { MockCamera(frames: .testPattern(.yuyv, width: $0, height: 32)) }
    }

    private func devices() -> [AVCaptureDevice] {
      AVCaptureDevice.DiscoverySession(
        deviceTypes: [.external], mediaType: .video, position: .unspecified
      ).devices
    }

    @Test func everySessionTakesSeveralCameras() async throws {
      #expect(AVCaptureMultiCamSession.isMultiCamSupported)
      try await onMachine(with: cameras()) {
        let stereo = Stereo()
        try stereo.start(devices())
        #expect(stereo.session.isRunning && stereo.session.connections.count == 4)
        stereo.session.stopRunning()
      }
    }

    @Test func framesOfOneTimeComeTogetherByOutput() async throws {
      try await onMachine(with: cameras()) {
        let stereo = Stereo()
        try stereo.start(devices())
        try await wait { stereo.seen.filter { $0 == [64, 96] }.count >= 5 }
        try await wait { stereo.ownCallCount >= 5 }
        stereo.session.stopRunning()
        #expect(stereo.synchronizer.delegate === stereo)
        #expect(stereo.synchronizer.dataOutputs.count == 2)
        #expect(stereo.synchronizer.delegateCallbackQueue?.label == "both")
      }
    }

    @Test func goesOnWithoutACameraThatWent() async throws {
      let cameras = cameras()
      try await onMachine(with: cameras) {
        let stereo = Stereo()
        try stereo.start(devices())
        try await wait { stereo.seen.contains([64, 96]) }
        cameras[0].unplug()
        try await wait { stereo.seen.suffix(5).allSatisfy { $0 == [0, 96] } }
        stereo.session.stopRunning()
      }
    }
  }
}
