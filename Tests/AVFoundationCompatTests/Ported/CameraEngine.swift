import AVFoundationCompat

// A camera app's engine, as Apple's sample code and many apps have it: a session queue, everything
// else on the caller's.

protocol CameraEngineDelegate: AnyObject {
  func cameraEngine(_ engine: CameraEngine, didTake photo: Data?, error: Error?)
  func cameraEngine(_ engine: CameraEngine, note: String)
}

class CameraEngine: NSObject {
  enum SetupResult { case success, notAuthorized, configurationFailed }

  let session = AVCaptureSession()
  let previewLayer = AVCaptureVideoPreviewLayer()
  weak var delegate: CameraEngineDelegate?
  var flashMode = AVCaptureDevice.FlashMode.auto

  private let sessionQueue = DispatchQueue(label: "session queue")
  private let photoOutput = AVCapturePhotoOutput()
  private(set) var videoDeviceInput: AVCaptureDeviceInput!
  private(set) var setupResult = SetupResult.success
  private var isSessionRunning = false
  private var photosInProgress = [Int64: PhotoCaptureProcessor]()
  private var observers = [NSObjectProtocol]()
  private var videoDeviceDiscoverySession: AVCaptureDevice.DiscoverySession!

  func setUp() {
    previewLayer.session = session
    previewLayer.videoGravity = .resizeAspectFill

    switch AVCaptureDevice.authorizationStatus(for: .video) {
    case .authorized:
      break
    case .notDetermined:
      sessionQueue.suspend()
      AVCaptureDevice.requestAccess(for: .video) { granted in
        if !granted { self.setupResult = .notAuthorized }
        self.sessionQueue.resume()
      }
    default:
      setupResult = .notAuthorized
    }

    sessionQueue.async { self.configureSession() }
  }

  private func configureSession() {
    guard setupResult == .success else { return }

    videoDeviceDiscoverySession = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.builtInWideAngleCamera, .builtInDualCamera, .builtInTrueDepthCamera],
      mediaType: .video, position: .unspecified)

    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .photo

    do {
      let defaultDevice =
        AVCaptureDevice.default(.builtInDualCamera, for: .video, position: .back)
        ?? AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front)
      guard let videoDevice = defaultDevice else {
        setupResult = .configurationFailed
        return
      }
      let input = try AVCaptureDeviceInput(device: videoDevice)
      guard session.canAddInput(input) else {
        setupResult = .configurationFailed
        return
      }
      session.addInput(input)
      videoDeviceInput = input
    } catch {
      NSLog("Could not create the video device input: \(error)")
      setupResult = .configurationFailed
      return
    }

    guard session.canAddOutput(photoOutput) else {
      setupResult = .configurationFailed
      return
    }
    session.addOutput(photoOutput)
    photoOutput.isHighResolutionCaptureEnabled = true
    photoOutput.maxPhotoQualityPrioritization = .quality
  }

  func start() {
    sessionQueue.async {
      guard self.setupResult == .success else { return }
      self.addObservers()
      self.session.startRunning()
      self.isSessionRunning = self.session.isRunning
    }
  }

  func stop() {
    sessionQueue.async {
      self.removeObservers()
      self.session.stopRunning()
      self.isSessionRunning = self.session.isRunning
    }
  }

  /// Runs when what was asked for before is done.
  func whenIdle(_ block: @escaping () -> Void) {
    sessionQueue.async { block() }
  }
}

// MARK: - Cameras

extension CameraEngine {
  func switchCamera() {
    sessionQueue.async {
      let preferredPosition: AVCaptureDevice.Position
      switch self.videoDeviceInput.device.position {
      case .unspecified, .front:
        preferredPosition = .back
      case .back:
        preferredPosition = .front
      @unknown default:
        preferredPosition = .back
      }
      let devices = self.videoDeviceDiscoverySession.devices
      guard let device = devices.first(where: { $0.position == preferredPosition }) else { return }
      self.use(device)
    }
  }

  private func use(_ device: AVCaptureDevice) {
    do {
      let input = try AVCaptureDeviceInput(device: device)
      session.beginConfiguration()
      session.removeInput(videoDeviceInput)
      if session.canAddInput(input) {
        session.addInput(input)
        videoDeviceInput = input
      } else {
        session.addInput(videoDeviceInput)
      }
      session.commitConfiguration()
      delegate?.cameraEngine(self, note: "using \(device.localizedName)")
    } catch {
      NSLog("Could not use the camera: \(error)")
    }
  }

  func focusAndExpose(atTappedPoint point: CGPoint) {
    let devicePoint = previewLayer.captureDevicePointConverted(fromLayerPoint: point)
    sessionQueue.async {
      let device = self.videoDeviceInput.device
      do {
        try device.lockForConfiguration()
        if device.isFocusPointOfInterestSupported { device.focusPointOfInterest = devicePoint }
        if device.isFocusModeSupported(.autoFocus) { device.focusMode = .autoFocus }
        if device.isExposurePointOfInterestSupported {
          device.exposurePointOfInterest = devicePoint
        }
        if device.isExposureModeSupported(.continuousAutoExposure) {
          device.exposureMode = .continuousAutoExposure
        }
        device.unlockForConfiguration()
      } catch {
        NSLog("Could not lock device for configuration: \(error)")
      }
    }
  }

  func setFrameRate(_ rate: Int32) {
    sessionQueue.async {
      let device = self.videoDeviceInput.device
      guard (try? device.lockForConfiguration()) != nil else { return }
      self.session.beginConfiguration()
      device.activeVideoMinFrameDuration = CMTimeMake(value: 1, timescale: rate)
      device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: rate)
      self.session.commitConfiguration()
      device.unlockForConfiguration()
    }
  }
}

// MARK: - Photos

extension CameraEngine {
  func capturePhoto() {
    let orientation = AVCaptureVideoOrientation(rawValue: UIDevice.current.orientation.rawValue)
    sessionQueue.async {
      if let connection = self.photoOutput.connection(with: .video),
        connection.isVideoOrientationSupported, let orientation = orientation
      {
        connection.videoOrientation = orientation
      }
      let settings = AVCapturePhotoSettings()
      if self.photoOutput.supportedFlashModes.contains(self.flashMode) {
        settings.flashMode = self.flashMode
      }
      settings.photoQualityPrioritization = .speed

      let processor = PhotoCaptureProcessor { processor, data, error in
        self.sessionQueue.async { self.photosInProgress[processor.uniqueID] = nil }
        self.delegate?.cameraEngine(self, didTake: data, error: error)
      }
      processor.uniqueID = settings.uniqueID
      self.photosInProgress[settings.uniqueID] = processor
      self.photoOutput.capturePhoto(with: settings, delegate: processor)
    }
  }
}

class PhotoCaptureProcessor: NSObject, AVCapturePhotoCaptureDelegate {
  var uniqueID: Int64 = 0
  private var photoData: Data?
  private let completion: (PhotoCaptureProcessor, Data?, Error?) -> Void

  init(completion: @escaping (PhotoCaptureProcessor, Data?, Error?) -> Void) {
    self.completion = completion
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor settings: AVCaptureResolvedPhotoSettings
  ) {
    if settings.uniqueID != uniqueID { NSLog("A photo of somebody else's") }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: Error?
  ) {
    if let error = error {
      NSLog("Error capturing photo: \(error)")
    } else {
      photoData = photo.fileDataRepresentation()
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor settings: AVCaptureResolvedPhotoSettings,
    error: Error?
  ) {
    completion(self, photoData, error)
  }
}

// MARK: - Observers

extension CameraEngine {
  private func addObservers() {
    observe(.AVCaptureSessionRuntimeError, object: session) { engine, notification in
      guard let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError else { return }
      engine.delegate?.cameraEngine(engine, note: "runtime error \(error.code)")
      if error.code == .mediaServicesWereReset {
        engine.sessionQueue.async {
          if engine.isSessionRunning { engine.session.startRunning() }
        }
      }
    }
    observe(.AVCaptureSessionWasInterrupted, object: session) { engine, notification in
      if let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int,
        let reason = AVCaptureSession.InterruptionReason(rawValue: value)
      {
        engine.delegate?.cameraEngine(engine, note: "interrupted \(reason)")
      }
    }
    observe(.AVCaptureSessionInterruptionEnded, object: session) { engine, _ in
      engine.delegate?.cameraEngine(engine, note: "interruption ended")
    }
    observe(.AVCaptureDeviceWasDisconnected, object: nil) { engine, notification in
      guard let device = notification.object as? AVCaptureDevice else { return }
      engine.delegate?.cameraEngine(engine, note: "disconnected \(device.localizedName)")
    }
    observe(.AVCaptureDeviceWasConnected, object: nil) { engine, notification in
      guard let device = notification.object as? AVCaptureDevice else { return }
      engine.delegate?.cameraEngine(engine, note: "connected \(device.localizedName)")
      engine.sessionQueue.async {
        engine.use(device)
        engine.session.startRunning()
      }
    }
  }

  private func observe(
    _ name: NSNotification.Name, object: Any?,
    _ block: @escaping (CameraEngine, Notification) -> Void
  ) {
    let observer = NotificationCenter.default.addObserver(
      forName: name, object: object, queue: nil
    ) { [weak self] notification in
      guard let self = self else { return }
      block(self, notification)
    }
    observers.append(observer)
  }

  private func removeObservers() {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers.removeAll()
  }
}
