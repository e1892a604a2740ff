public import CaptureKitLinux
public import Foundation
import Synchronization

// MARK: - Showing it

extension ImagePickerController {
  /// The session that runs the camera; nil but while a camera is presented.
  public var session: CaptureSession? { core.camera?.session }

  /// The camera's preview; nil but while a camera is presented.
  public var previewLayer: CaptureVideoPreviewLayer? { core.camera?.layer }
}

// MARK: - Which camera, and how

extension ImagePickerController {
  /// Which camera is used; until it is set the rear one, and the front one where there is no other.
  ///
  /// While a camera is presented it is switched: ``state`` is `switchingCamera` meanwhile. One that
  /// cannot be started is told in ``lastError``, and the one before stays.
  public var cameraDevice: CameraDevice {
    get {
      let (settings, camera) = core.storage.withLock { ($0.settings, $0.camera) }
      guard let device = camera?.device else { return settings.side ?? .rear }
      return PickerCameraChoice.side(of: device, wished: settings.side)
    }
    set { core.keepingErrors { try core.setSide(newValue) } }
  }

  /// Switches to another camera; returns when its pictures come.
  ///
  /// - Parameter cameraDevice: The side.
  /// - Throws: ``LibraryError``: `notPresented`; `notNow` but while the preview is shown;
  ///   `sourceUnavailable` where there is no such camera or it cannot be started.
  public func switchCamera(to cameraDevice: CameraDevice) async throws(LibraryError) {
    let done = PickerMachine.Waiter()
    try core.decide { machine throws(LibraryError) in
      try machine.switchCamera(to: cameraDevice, done)
    }
    if let error = await done.value { throw LibraryError(unavailable: error) }
  }

  /// Who says how the machine is held, so that pictures, movies and the preview are upright; nil, for
  /// a machine that is not turned, until it is set. Takes effect with the next presentation.
  ///
  /// `AccelerometerDeviceOrientation` reads the machine's sensor.
  public var deviceOrientationSource: (any DeviceOrientationSource)? {
    get { core.settings.orientationSource }
    set { core.set { $0.orientationSource = newValue } }
  }

  /// Whether the camera's light shines while a picture is taken or a movie is recorded; `auto`,
  /// which is dark here, until it is set. Of no effect on a camera without one, see
  /// ``isFlashAvailable(for:)``.
  public var cameraFlashMode: CameraFlashMode {
    get { core.settings.flash }
    set { core.set { $0.flash = newValue } }
  }

  /// What the camera is tuned for; until it is set pictures, where ``mediaTypes`` has them, else
  /// movies.
  ///
  /// Pictures and movies can be taken in both modes. Set while the preview is shown, the camera
  /// starts anew; refused while a picture is taken or a movie is recorded.
  public var cameraCaptureMode: CameraCaptureMode {
    get { core.settings.effectiveMode }
    set { core.keepingErrors { try core.retune { $0.mode = newValue } } }
  }

  /// How movies are to be; `medium`, as with Apple's picker, until it is set. As
  /// ``cameraCaptureMode``.
  public var videoQuality: QualityType {
    get { core.settings.quality }
    set { core.keepingErrors { try core.retune { $0.quality = newValue } } }
  }

  /// The longest that a movie may be, in seconds; 600, ten minutes, until it is set.
  ///
  /// A movie that reaches it is picked. What is not above 0 counts as a millisecond, and more than a
  /// day, or what is no number, as a day.
  public var videoMaximumDuration: TimeInterval {
    get { core.settings.maximumDuration / .seconds(1) }
    set {
      let seconds = newValue < 86400 ? max(newValue, 0.001) : 86400
      core.set { $0.maximumDuration = .milliseconds(Int64((seconds * 1000).rounded())) }
    }
  }
}

// MARK: - Taking pictures and movies

extension ImagePickerController {
  /// Takes a picture; refused but while the preview is shown.
  ///
  /// It is picked when it is there, or edited before, where ``allowsEditing``. One that cannot be
  /// taken is told in ``lastError``, and the preview stays.
  public func takePicture() {
    core.keepingErrors {
      try core.decide { machine throws(LibraryError) in try machine.takePicture() }
    }
  }

  /// Takes a picture; returns when it is there: ``state`` is `editing` or `ended` then.
  ///
  /// - Throws: ``LibraryError``: `notPresented`; `notNow` but while the preview is shown;
  ///   `sourceUnavailable` while the camera is interrupted; `unsupportedMediaType` where pictures
  ///   are not among ``mediaTypes``. `CaptureError` where it cannot be taken; the preview stays.
  public func capturePicture() async throws {
    let done = PickerMachine.Waiter()
    try core.decide { machine throws(LibraryError) in try machine.takePicture(done) }
    if let error = await done.value { throw error }
  }

  /// Starts a movie; refused but while the preview is shown.
  ///
  /// - Returns: Whether it was not refused; ``lastError`` says why it was. What keeps it from being
  ///   recorded later is told there, too, and the preview comes back.
  @discardableResult
  public func startVideoCapture() -> Bool {
    do {
      try beginVideoCapture()
      return true
    } catch {
      return false
    }
  }

  /// Starts a movie, as ``startVideoCapture()``.
  ///
  /// - Throws: ``LibraryError``: `notPresented`; `notNow` but while the preview is shown;
  ///   `sourceUnavailable` while the camera is interrupted; `unsupportedMediaType` where movies are
  ///   not among ``mediaTypes``.
  public func beginVideoCapture() throws(LibraryError) {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "CaptureKit-\(UUID().uuidString).mov")
    try core.decide { machine throws(LibraryError) in try machine.startMovie(at: url) }
  }

  /// Ends the movie, which is picked when its file is finished; refused where none is recorded.
  public func stopVideoCapture() {
    core.keepingErrors {
      try core.decide { machine throws(LibraryError) in try machine.stopMovie() }
    }
  }

  /// Ends the movie; returns when it is picked.
  ///
  /// - Throws: ``LibraryError``: `notPresented`; `notNow` where none is recorded. `MovieError` where
  ///   it has no frame or its file could not be written; the preview comes back.
  public func endVideoCapture() async throws {
    let done = PickerMachine.Waiter()
    try core.decide { machine throws(LibraryError) in try machine.stopMovie(done) }
    if let error = await done.value { throw error }
  }

  /// How long the movie is that is being recorded, in seconds; 0 where none is.
  public var recordedDuration: TimeInterval {
    (core.camera?.recorder.recordedDuration ?? .zero) / .seconds(1)
  }

  /// How large the file of the movie is that is being recorded, in bytes; 0 where none is.
  public var recordedFileSize: Int64 { core.camera?.recorder.recordedFileSize ?? 0 }
}

extension PickerCore {
  fileprivate func setSide(_ side: ImagePickerController.CameraDevice) throws(LibraryError) {
    try change { storage throws(LibraryError) in
      guard storage.machine.isShowingCamera else {
        storage.settings.side = side
        return []
      }
      return try storage.machine.switchCamera(to: side)
    }
  }

  fileprivate func retune(_ body: (inout Settings) -> Void) throws(LibraryError) {
    try change { storage throws(LibraryError) in
      let actions = try storage.machine.retune()
      body(&storage.settings)
      return actions
    }
  }
}
