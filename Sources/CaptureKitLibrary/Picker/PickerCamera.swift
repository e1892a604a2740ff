import CaptureKitLinux
import Dispatch
import Foundation
import Synchronization

/// The camera of one presentation: its session and outputs.
final class PickerCamera: Sendable {
  /// What it is tuned for.
  struct Tuning: Hashable, Sendable {
    var mode = ImagePickerController.CameraCaptureMode.photo
    var quality = ImagePickerController.QualityType.medium
  }

  let session = CaptureSession()
  let layer: CaptureVideoPreviewLayer
  let recorder: any PickerRecorder
  let photos = CapturePhotoOutput()
  private let environment: CaptureEnvironment
  private let input = Mutex<CaptureDeviceInput?>(nil)
  private let following = Mutex<Task<Void, Never>?>(nil)
  private let hold = Mutex(Hold())
  /// Calls that wait for the camera do so here.
  let queue = DispatchQueue(label: "CaptureKitLibrary.picker.camera")

  init(in environment: CaptureEnvironment, recorder: any PickerRecorder) {
    self.environment = environment
    self.recorder = recorder
    layer = CaptureVideoPreviewLayer(session: session)
  }

  /// How the machine is held, as far as somebody says it.
  private struct Hold {
    var orientation: CaptureVideoOrientation?
    var observation: CaptureObservation?
  }

  deinit { following.withLock { $0 }?.cancel() }

  var device: CaptureDevice? { input.withLock { $0 }?.device }
}

// MARK: - Opening and closing

extension PickerCamera {
  /// Starts a camera.
  ///
  /// - Parameters:
  ///   - side: The side wished for; nil for any.
  ///   - tuning: What it is to be tuned for.
  ///   - recordsMovies: Whether movies may be recorded.
  /// - Throws: `sourceUnavailable`, with a sentence to be shown.
  func open(
    on side: ImagePickerController.CameraDevice?, _ tuning: Tuning, recordsMovies: Bool
  ) async throws(LibraryError) {
    let device = try await find(side)
    do {
      let input = try CaptureDeviceInput(device: device)
      // A camera that is unplugged is waited for: the user plugs it in again, or cancels.
      session.resumesAfterReconnect = true
      try session.configure {
        try session.add(input)
        try session.add(photos)
        if recordsMovies { try session.add(recorder.output) }
        try tune(to: tuning)
      }
      self.input.withLock { $0 = input }
      try await session.start()
    } catch {
      throw LibraryError(unavailable: error)
    }
  }

  /// Puts another camera in the place of this one, which stays where that cannot be started.
  ///
  /// - Throws: `sourceUnavailable`.
  func switchCamera(
    to side: ImagePickerController.CameraDevice, _ tuning: Tuning
  ) async throws(LibraryError) {
    let device = try await find(side)
    guard device.uniqueID != self.device?.uniqueID else { return }
    do {
      try await onQueue { [self] in
        let (old, new) = (input.withLock { $0 }, try CaptureDeviceInput(device: device))
        do {
          try replace(old, by: new, tuning)
        } catch {
          try? replace(new, by: old, tuning)
          throw error
        }
        input.withLock { $0 = new }
      }
    } catch {
      throw LibraryError(unavailable: error)
    }
  }

  /// Tunes the camera for something else; what it cannot do changes nothing.
  func retune(to tuning: Tuning) async throws {
    try await onQueue { [self] in try tune(to: tuning) }
  }

  /// Stops the camera; returns when it is closed.
  func close() async {
    following.withLock { $0 }?.cancel()
    let observation = hold.withLock { hold in
      defer { hold.observation = nil }
      return hold.observation
    }
    observation?.invalidate()
    await session.stop()
  }

  /// Keeps pictures, movies and the preview upright, however the machine is held.
  func follow(_ source: any DeviceOrientationSource) {
    let observation = source.observe { [weak self] orientation in
      guard let self else { return }
      hold.withLock { hold in
        // Flat on a table it is held as it was before.
        hold.orientation = CaptureVideoOrientation(
          orientation, fallback: hold.orientation ?? .portrait)
      }
      turnConnections()
    }
    hold.withLock { $0.observation = observation }
  }

  private func turnConnections() {
    guard let orientation = hold.withLock({ $0.orientation }) else { return }
    for connection in session.connections { connection.videoOrientation = orientation }
  }

  /// Has each state of the session told until the camera is closed.
  func follow(_ report: @escaping @Sendable (CaptureSession.State) -> Void) {
    let states = session.states
    let task = Task { for await state in states { report(state) } }
    following.withLock { $0 = task }
  }

  private func find(
    _ side: ImagePickerController.CameraDevice?
  ) async throws(LibraryError) -> CaptureDevice {
    do {
      let devices = try await environment.devices()
      if devices.isEmpty {
        try await environment.run { try await CaptureDevice.requireAccess(for: .video) }
        throw CaptureError.noDevice
      }
      guard let device = PickerCameraChoice.choose(from: devices, on: side) else {
        throw CaptureError(
          .noDevice,
          "There is no \(side == .front ? "front" : "rear") camera: use the other one.")
      }
      if let failure = device.authorizationFailure { throw failure }
      return device
    } catch {
      throw LibraryError(unavailable: error)
    }
  }

  private func replace(
    _ old: CaptureDeviceInput?, by new: CaptureDeviceInput?, _ tuning: Tuning
  ) throws {
    try session.configure {
      if let old { session.removeInput(old) }
      guard let new else { return }
      try session.add(new)
      try tune(to: tuning)
    }
    turnConnections()
  }

  private func tune(to tuning: Tuning) throws {
    let wish = tuning.presets.first { session.canSetSessionPreset($0) }
    if let wish, wish != session.sessionPreset { try session.setSessionPreset(wish) }
  }

  private func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}

extension PickerCamera.Tuning {
  /// The presets to be tried in this order.
  var presets: [CaptureSession.Preset] {
    guard mode == .video else { return [.photo] }
    return switch quality {
    case .high: [.high]
    case .medium, .typeIFrame960x540: [.medium]
    case .low: [.low]
    case .type640x480: [.vga640x480, .medium]
    case .typeIFrame1280x720: [.hd1280x720, .high]
    }
  }
}
