public import CaptureKitLinux
import Dispatch
public import Imaging

/// Takes one selfie: finds a camera, shows what it sees, takes the photo, or is cancelled.
///
/// ```swift
/// let controller = SelfieCaptureController(onEvent: { event in … }) { image in
///   if let image { keep(image) }
/// }
/// await controller.start()
/// ```
///
/// A controller of one's own in place of `ImagePickerController`: it knows no window and no album.
/// Who shows it draws ``previewLayer`` and the sentence of its ``Status``, and calls
/// ``takePhoto()``, ``switchCamera()`` and ``cancel()``.
public actor SelfieCaptureController {
  /// How it is.
  public enum Status: Hashable, Sendable {
    /// A camera is looked for or started.
    case starting
    /// The preview runs, of the camera with this name.
    case ready(camera: String)
    /// A photo is being taken.
    case taking
    /// There is no preview; the sentence says why, and what to do. It comes when the reason goes.
    case unavailable(String)
    /// The completion handler has been called.
    case ended
  }

  /// What is told on the way.
  public enum Event: Hashable, Sendable {
    /// The controller is in another state.
    case status(Status)
    /// The photo's frame is being taken: the moment for a shutter animation.
    case shutter
    /// A photo could not be taken; the preview goes on.
    case photoFailed(String)
  }

  /// The camera's preview.
  public nonisolated let previewLayer = CaptureVideoPreviewLayer()
  /// How it is now.
  public private(set) var status = Status.starting {
    didSet { if status != oldValue { tell(.status(status)) } }
  }

  private let environment: CaptureEnvironment
  private let orientation: any DeviceOrientationSource
  private let tell: @Sendable (Event) -> Void
  private var completion: (@Sendable (Image?) -> Void)?
  private let session = CaptureSession()
  private let photos = CapturePhotoOutput()
  private var coordinator: CaptureDevice.RotationCoordinator?
  private var following: [Task<Void, Never>] = []
  private var turning: CaptureObservation?
  /// Why the camera did not start, for as long as it is tried again.
  private var reason: String?
  /// One camera is opened after the other.
  private var isOpening = false

  /// Makes a controller for one selfie.
  ///
  /// - Parameters:
  ///   - environment: Where cameras come from.
  ///   - orientation: Says how the device is held.
  ///   - onEvent: Called on any thread with what happens.
  ///   - completion: Called once, on any thread: with the photo, or with nil where it is cancelled.
  public init(
    environment: CaptureEnvironment = .current,
    orientation: any DeviceOrientationSource = ManualDeviceOrientation(),
    onEvent: @escaping @Sendable (Event) -> Void = { _ in },
    completion: @escaping @Sendable (Image?) -> Void
  ) {
    self.environment = environment
    self.orientation = orientation
    self.tell = onEvent
    self.completion = completion
    previewLayer.videoGravity = .resizeAspectFill
  }

  deinit {
    for task in following { task.cancel() }
  }

  /// Starts the preview: the front camera's first.
  ///
  /// Where there is none, or it may not be used, ``status`` says so, and it begins when there is
  /// one.
  public func start() async {
    guard following.isEmpty, completion != nil else { return }
    session.resumesAfterReconnect = true
    let states = session.states
    let changes = environment.deviceChanges
    following = [
      Task { [weak self] in for await _ in states { await self?.follow() } },
      Task { [weak self] in for await _ in changes { await self?.openIfIdle() } },
    ]
    do {
      try session.configure {
        try session.add(photos)
        try previewLayer.setSession(session)
      }
      await openIfIdle()
    } catch {
      status = .unavailable("\(error)")
    }
  }

  /// Puts the next camera of the machine in the place of this one.
  public func switchCamera() async {
    guard completion != nil, !isOpening, status != .taking else { return }
    await open { devices, current in
      guard let index = devices.firstIndex(where: { $0.uniqueID == current }) else {
        return Self.first(of: devices)
      }
      return devices[(index + 1) % devices.count]
    }
  }

  /// Takes the photo and ends; nothing happens but while the preview runs.
  public func takePhoto() {
    guard case .ready = status else { return }
    status = .taking
    if let angles = coordinator?.angles {
      photos.connection(with: .video)?.videoRotationAngle = angles.capture
    }
    photos.capturePhoto(
      with: CapturePhotoSettings(),
      delegate: Shutter(
        willCapture: { [tell] in tell(.shutter) },
        didFinish: { [weak self] photo in Task { await self?.took(photo) } }))
  }

  /// Ends without a photo; nothing happens where it has ended.
  public func cancel() async { await end(with: nil) }
}

// MARK: - Cameras

extension SelfieCaptureController {
  /// The camera to begin with: one that may be used before others, the one that looks at its user
  /// before others.
  static func first(of devices: [CaptureDevice]) -> CaptureDevice? {
    let allowed = devices.filter { $0.authorization == .authorized }
    let usable = allowed.isEmpty ? devices : allowed
    return usable.first { $0.position == .front } ?? usable.first
  }

  /// Opens the first camera unless there is one that runs, or that the session waits for.
  private func openIfIdle() async {
    guard completion != nil, !isOpening, !session.isRunning, !session.isInterrupted else { return }
    await open { devices, _ in Self.first(of: devices) }
  }

  private func open(
    _ choose: ([CaptureDevice], _ current: String?) -> CaptureDevice?
  ) async {
    isOpening = true
    defer {
      isOpening = false
      follow()
    }
    do {
      let devices = try await environment.devices()
      guard let device = choose(devices, session.inputs.first?.device.uniqueID) else {
        try await environment.run { try await CaptureDevice.requireAccess(for: .video) }
        throw CaptureError.noDevice
      }
      guard device.uniqueID != session.inputs.first?.device.uniqueID || !session.isRunning else {
        return
      }
      status = .starting
      await session.stop()
      if let failure = device.authorizationFailure { throw failure }
      try use(device)
      try await session.start()
    } catch {
      reason = "\(error)"
      if completion != nil { status = .unavailable("\(error)") }
      let waits: Set<CaptureError.Code> = [.inUse, .noSignal, .privacyShutter]
      // Tried again until the other program lets go of it.
      if let error = error as? CaptureError, waits.contains(error.code) { startWaiting() }
    }
    // Who cancelled meanwhile has stopped what had not been started yet.
    if completion == nil { await session.stop() }
  }

  private func startWaiting() {
    DispatchQueue.global().async { [session] in session.startRunning() }
  }

  private func use(_ device: CaptureDevice) throws {
    try session.configure {
      for input in session.inputs { session.removeInput(input) }
      try session.add(CaptureDeviceInput(device: device))
      if session.canSetSessionPreset(.photo) { try session.setSessionPreset(.photo) }
    }
    let coordinator = CaptureDevice.RotationCoordinator(device: device, orientation: orientation)
    self.coordinator = coordinator
    turning = coordinator.observe { [previewLayer] angles in
      previewLayer.connection?.videoRotationAngle = angles.preview
    }
  }

  /// Says how the session is now: states that are told late would say how it was.
  private func follow() {
    guard completion != nil, !isOpening else { return }
    let name = session.inputs.first?.device.localizedName ?? "The camera"
    switch session.state {
    case .running:
      reason = nil
      if status != .taking { status = .ready(camera: name) }
    case .interrupted(let reasons) where reasons.contains(.videoDeviceDisconnected):
      status = .unavailable("\(name) was unplugged: plug it in again, or choose another camera.")
    case .interrupted(let reasons):
      status = .unavailable(reason ?? Self.sentence(for: reasons, name))
    case .recovering: status = .unavailable("\(name) sends nothing at the moment: one moment.")
    case .failed(let error): status = .unavailable("\(error)")
    case .stopped: break
    }
  }

  private static func sentence(
    for reasons: Set<CaptureSession.InterruptionReason>, _ name: String
  ) -> String {
    if reasons.contains(.privacyShutter) { return "The shutter of \(name) is closed: open it." }
    if reasons.contains(.noSignal) { return "\(name) has no signal: look at its cable." }
    return "\(name) is in use by another program: close that."
  }
}

// MARK: - The end

extension SelfieCaptureController {
  private func took(_ photo: Result<Image, any Error>) async {
    switch photo {
    case .success(let image): await end(with: image)
    case .failure(let error):
      guard completion != nil else { return }
      tell(.photoFailed("\(error)"))
      if status == .taking { status = .starting }
      follow()
    }
  }

  private func end(with image: Image?) async {
    guard let completion else { return }
    self.completion = nil
    status = .ended
    for task in following { task.cancel() }
    turning?.invalidate()
    // The caller goes on at once; the camera needs some time to close.
    completion(image)
    await session.stop()
    try? previewLayer.setSession(nil)
  }

  /// Follows a photo on its way.
  private final class Shutter: CapturePhotoCaptureDelegate, Sendable {
    let willCapture: @Sendable () -> Void
    let didFinish: @Sendable (Result<Image, any Error>) -> Void

    init(
      willCapture: @escaping @Sendable () -> Void,
      didFinish: @escaping @Sendable (Result<Image, any Error>) -> Void
    ) {
      (self.willCapture, self.didFinish) = (willCapture, didFinish)
    }

    func photoOutput(
      _ output: CapturePhotoOutput,
      willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
    ) { willCapture() }

    func photoOutput(
      _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto,
      error: (any Error)?
    ) {
      didFinish(error.map { .failure($0) } ?? Result { try photo.image })
    }
  }
}
