import CaptureKitLinux
import LinuxSystem
import Testing

extension FakeDevice {
  /// A camera without MJPEG, whose pictures the fake driver does not make.
  static var raw: FakeDevice {
    var device = FakeDevice()
    device.formats = [.yuyv]
    return device
  }
}

/// Waits until the last frame is let go of, which is a moment after its photo is there, and looks
/// whether anything is left.
func expectNothingLeftSoon(
  of kernel: FakeKernel, sourceLocation: SourceLocation = #_sourceLocation
) async {
  while kernel.mappingCount > 0 { await Task.yield() }
  expectNothingLeft(of: kernel, sourceLocation: sourceLocation)
}

/// A session with a photo output on the camera of a fake kernel.
struct KernelStudio {
  let session = CaptureSession()
  let photos = CapturePhotoOutput()
  let device: CaptureDevice

  init(_ kernel: FakeKernel) async throws {
    let nowhere = DeviceRoots(dev: "/none", sys: "/none", proc: "/none")
    let backend = Video4LinuxBackend(kernel: kernel, roots: nowhere)
    device = try await CaptureEnvironment(backends: [backend]).run { () async throws in
      try CaptureDevice(path: "/dev/video0")
    }
    photos.settlingTime = .zero
    try session.add(CaptureDeviceInput(device: device))
    try session.add(photos)
  }

  /// Starts, takes a photo, stops.
  func onePhoto(_ settings: CapturePhotoSettings = CapturePhotoSettings()) async throws
    -> CapturePhoto
  {
    try await session.start()
    let result: Result<CapturePhoto, any Error>
    do {
      result = .success(try await photos.capturePhoto(with: settings))
    } catch {
      result = .failure(error)
    }
    await session.stop()
    return try result.get()
  }
}
