// Frames of the first camera as BGRA, one after the other.

import CaptureKitLinux

func process(_ bytes: RawSpan, _ width: Int, _ height: Int, at time: HostTime) {
  print("\(time.nanoseconds): \(width) × \(height) pixels in \(bytes.byteCount) bytes")
}

guard let camera = CaptureDevice.default(for: .video) else { throw CaptureError.noDevice }
let session = CaptureSession()
try session.add(CaptureDeviceInput(device: camera))
let video = CaptureVideoDataOutput()
video.videoSettings = .pixelFormat(.bgra)
try session.add(video)
try await session.start()

for await frame in video.frames.prefix(30) {  // the newest; late ones are dropped and counted
  process(frame.bytes, frame.width, frame.height, at: frame.presentationTime)
}
await session.stop()
print("dropped:", video.droppedFrameCounts)
