import CaptureKitLinux
import Foundation

// MARK: - What the user does

extension PickerMachine {
  mutating func takePicture(_ waiter: Waiter? = nil) throws(LibraryError) -> [Action] {
    try requireCamera(for: .image, "take a picture")
    self.waiter = waiter
    shots += 1
    phase = .capturing(shot: shots)
    return [.takePicture(shot: shots)]
  }

  mutating func startMovie(at url: URL) throws(LibraryError) -> [Action] {
    try requireCamera(for: .movie, "record a movie")
    movieInterruption = nil
    phase = .recording(url)
    return [.startMovie(url)]
  }

  mutating func stopMovie(_ waiter: Waiter? = nil) throws(LibraryError) -> [Action] {
    guard case .recording(let url) = phase else { throw refusal("stop a movie") }
    self.waiter = waiter
    phase = .finishingMovie(url)
    return [.stopMovie]
  }

  mutating func switchCamera(
    to camera: ImagePickerController.CameraDevice, _ waiter: Waiter? = nil
  ) throws(LibraryError) -> [Action] {
    guard case .live = phase else { throw refusal("use another camera") }
    self.waiter = waiter
    phase = .switchingCamera
    return [.switchCamera(camera)]
  }

  /// The camera is to be tuned for something else, which starts its stream anew.
  mutating func retune() throws(LibraryError) -> [Action] {
    guard state.isPresented, setup.source == .camera else { return [] }
    guard case .live = phase else { throw refusal("change the camera's mode") }
    return [.retune]
  }

  private func requireCamera(
    for mediaType: PickerMediaType, _ wish: String
  ) throws(LibraryError) {
    guard case .live = phase else { throw refusal(wish) }
    guard setup.mediaTypes.contains(mediaType) else {
      throw LibraryError(
        .unsupportedMediaType,
        "The picker cannot \(wish): its media types do not have \(mediaType).")
    }
    if let interruption {
      throw LibraryError(
        .sourceUnavailable, "The picker cannot \(wish) now: \(interruption.sentence)")
    }
  }
}

// MARK: - What the camera reports

extension PickerMachine {
  mutating func took(_ media: PickedMedia, shot: Int) -> [Action] {
    guard case .capturing(shot) = phase else { return [] }
    return picked(media)
  }

  mutating func failedToTake(_ error: any Error, shot: Int) -> [Action] {
    guard case .capturing(shot) = phase else { return [] }
    return [.note(error)] + backToCamera(because: error)
  }

  /// A movie has ended, asked to or not.
  ///
  /// - Parameters:
  ///   - url: Its file.
  ///   - result: What ended it before it was asked to, if anything did, where it can be played;
  ///     otherwise why there is none.
  ///   - number: The presentation that it was recorded in.
  /// - Returns: What is to be done.
  mutating func movieEnded(
    at url: URL, _ result: Result<(any Error)?, any Error>, of number: Int
  ) -> [Action] {
    guard number == self.number, isRecording(to: url) else { return [.discard(url)] }
    switch result {
    case .success(let error):
      // It is recorded no longer: nothing is to be stopped.
      phase = .finishingMovie(url)
      return end(
        .picked, with: PickedMedia(movieAt: url, recordingError: error ?? movieInterruption))
    case .failure(let error): return [.discard(url), .note(error)] + backToCamera(because: error)
    }
  }

  private func isRecording(to url: URL) -> Bool {
    switch phase {
    case .recording(let own), .finishingMovie(let own): own == url
    default: false
    }
  }

  mutating func switchedCamera(because error: LibraryError?) -> [Action] {
    guard case .switchingCamera = phase else { return [] }
    guard let error else {
      // Whatever the camera before it met.
      (interruption, cameraFailure) = (nil, nil)
      return backToCamera(because: nil)
    }
    return [.note(error)] + backToCamera(because: error)
  }

  mutating func camera(is interruption: CaptureSession.InterruptionReason?) -> [Action] {
    self.interruption = interruption
    guard interruption == .videoDeviceDisconnected else { return [] }
    switch phase {
    case .capturing:
      // It would be waited for until its time is over.
      let error = CaptureError(
        .disconnected, "The picture was not taken: the camera was unplugged. Plug it in again.")
      return [.note(error)] + backToCamera(because: error)
    case .recording(let url):
      // What there is would be lost on a user who waits for the rest.
      movieInterruption = CaptureError(
        .disconnected, "The movie ends where the camera was unplugged.")
      phase = .finishingMovie(url)
      return [.stopMovie]
    default: return []
    }
  }

  /// The camera has ended for good.
  ///
  /// A movie is finished first, and is picked where it can be played; a picture that is being
  /// edited stays.
  mutating func cameraFailed(_ error: LibraryError) -> [Action] {
    switch phase {
    case .live: return end(.failed(error))
    case .switchingCamera, .capturing, .recording, .finishingMovie, .editing, .applyingEdits:
      cameraFailure = error
      return []
    case .idle, .presenting, .choosing, .opening, .ended: return []
    }
  }

  private mutating func backToCamera(because error: (any Error)?) -> [Action] {
    let answer = answer(error)
    phase = .live
    return answer + (cameraFailure.map { end(.failed($0)) } ?? [])
  }
}

extension CaptureSession.InterruptionReason {
  /// What to do about it.
  var sentence: String {
    switch self {
    case .videoDeviceInUseByAnotherClient:
      "another program uses the camera. Close it there."
    case .noSignal: "the camera's input carries no picture. Look at the cable."
    case .privacyShutter: "the camera's shutter is closed. Open it."
    case .videoDeviceDisconnected: "the camera was unplugged. Plug it in again."
    default: "the camera sends no pictures."
    }
  }
}
