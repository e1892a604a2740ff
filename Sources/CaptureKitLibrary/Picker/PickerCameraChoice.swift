import CaptureKitLinux

/// Which of the machine's cameras is the front or the rear one; pure.
enum PickerCameraChoice {
  /// The camera to use, one that this program may open before others.
  ///
  /// Where no camera says its position, any is both: so a webcam serves code made for phones.
  ///
  /// - Parameters:
  ///   - devices: The machine's cameras.
  ///   - side: The side wished for; nil for the rear camera, and the front one where there is none.
  /// - Returns: nil where there is none on this side.
  static func choose(
    from devices: [CaptureDevice], on side: ImagePickerController.CameraDevice?
  ) -> CaptureDevice? {
    guard let side else { return choose(from: devices, on: .rear) ?? preferred(devices) }
    let isAnySaid = devices.contains { $0.position != .unspecified }
    guard isAnySaid else { return preferred(devices) }
    let position: CaptureDevice.Position = side == .front ? .front : .back
    return preferred(devices.filter { $0.position == position })
  }

  /// The side that a camera is taken for.
  static func side(
    of device: CaptureDevice, wished side: ImagePickerController.CameraDevice?
  ) -> ImagePickerController.CameraDevice {
    switch device.position {
    case .front: .front
    case .back: .rear
    case .unspecified: side ?? .rear
    }
  }

  private static func preferred(_ devices: [CaptureDevice]) -> CaptureDevice? {
    devices.first { $0.authorization == .authorized } ?? devices.first
  }
}
