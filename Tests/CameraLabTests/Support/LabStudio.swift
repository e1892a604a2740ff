import CaptureKitLinux
import Imaging
import Testing

/// A session with one real camera, a photo output and a tap; photos do not wait for exposure.
///
/// The emulated processor is slow: unless told otherwise, pictures are small and few.
struct LabStudio {
  /// Of the USB camera.
  static let smallSize = VideoDimensions(width: 320, height: 240)
  /// Of vivid; a bar of its pattern is 80 pixels wide.
  static let wideSize = VideoDimensions(width: 640, height: 360)
  /// For a camera that may have to wait for the emulated processor.
  static let patience = Duration.seconds(20)

  let device: CaptureDevice
  let session = CaptureSession()
  let photos = CapturePhotoOutput()
  let tap = LabTap()

  init(
    _ device: CaptureDevice, _ pixelFormat: PixelFormat = .mjpeg,
    _ size: VideoDimensions = LabStudio.smallSize
  ) throws {
    self.device = device
    try device.choose(pixelFormat, size)
    photos.settlingTime = .zero
    try session.add(try CaptureDeviceInput(device: device))
    try session.add(photos)
    try session.add(tap)
  }

  /// With the camera that an app would get.
  init(
    _ pixelFormat: PixelFormat = .mjpeg, _ size: VideoDimensions = LabStudio.smallSize
  ) throws {
    try self.init(try #require(CaptureDevice.default(for: .video)), pixelFormat, size)
  }

  /// Takes a photo of a running session, without hurry.
  func photo() async throws -> CapturePhoto {
    try await photos.capturePhoto(with: CapturePhotoSettings(timeout: Self.patience))
  }

  /// Starts, takes a photo, stops.
  @discardableResult
  func onePhoto() async throws -> CapturePhoto {
    try await session.start()
    let photo = try await photo()
    await session.stop()
    return photo
  }
}

extension CaptureDevice {
  /// Chooses a format in one of its sizes, with at most 15 frames a second.
  func choose(_ pixelFormat: PixelFormat, _ size: VideoDimensions) throws {
    let format = try #require(
      try loadFormats().first { $0.pixelFormat == pixelFormat && $0.offers(size) })
    let fastest = try #require(FrameDuration.framesPerSecond(15))
    let durations = format.frameDurations.filter { $0.upperBound >= fastest }
    try lockForConfiguration()
    defer { unlockForConfiguration() }
    try setActiveFormat(
      Format(pixelFormat, dimensions: size, frameDurations: durations))
  }
}
