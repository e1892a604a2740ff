import Imaging
import Synchronization

/// Takes photos; Apple's `AVCapturePhotoOutput`.
///
/// One core, three forms: a delegate as on Apple's systems, a closure, and async.
///
/// ```swift
/// let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
/// try photo.write(to: URL(filePath: "selfie.jpg"))
/// ```
///
/// A photo is never older than its request: a frame whose exposure began before it is not taken.
/// A camera that sends JPEG has its JPEG kept; raw frames are encoded. The picture comes out upright
/// for the connection's ``CaptureConnection/videoOrientation``.
public final class CapturePhotoOutput: CaptureOutput {
  private let requests = PhotoRequestQueue()
  private let state = Mutex(State())

  private struct State {
    var connections: [CaptureConnection] = []
    var settlingTime: Duration?
  }

  /// Makes an output that is not connected yet: add it to a session.
  public init() {}

  /// The connections from the session's cameras.
  public var connections: [CaptureConnection] { state.withLock { $0.connections } }

  /// The connection from the session's first camera; nil before there is one.
  public func connection(with mediaType: MediaType) -> CaptureConnection? {
    mediaType == .video ? connections.first : nil
  }

  /// How long after a camera's start its frames are not taken for photos.
  ///
  /// Webcams start dark and take a moment to find exposure and white balance. A photo asked for within
  /// that time waits for its end; one asked for later does not wait. nil, as it is until set: what
  /// the camera's backend knows; 0.8 seconds for the kernel's cameras. At most ten seconds. Takes
  /// effect with the next start.
  public var settlingTime: Duration? {
    get { state.withLock { $0.settlingTime } }
    set { state.withLock { $0.settlingTime = newValue.map(Self.bounded) } }
  }

  private static func bounded(_ settlingTime: Duration) -> Duration {
    min(max(settlingTime, .zero), .seconds(10))
  }
}

// MARK: - Taking photos

extension CapturePhotoOutput {
  /// Takes a photo and tells a delegate.
  ///
  /// - Parameters:
  ///   - settings: What the photo is to be like; new ones for each photo.
  ///   - delegate: Follows the photo; kept until its last call.
  public func capturePhoto(
    with settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate
  ) {
    let adapter = DelegateAdapter(delegate)
    capture(settings) { [self] event in adapter.deliver(event, from: self) }
  }

  /// Takes a photo and calls a closure with it, or with why there is none.
  ///
  /// - Parameters:
  ///   - settings: What the photo is to be like; new ones for each photo.
  ///   - completion: Called exactly once, on the output's own queue. The error is a ``CaptureError``.
  public func capturePhoto(
    with settings: CapturePhotoSettings,
    completion: @escaping @Sendable (Result<CapturePhoto, any Error>) -> Void
  ) {
    capture(settings) { event in
      guard case .didFinishProcessing(let photo, let error) = event else { return }
      completion(error.map { .failure($0) } ?? .success(photo))
    }
  }

  /// Takes a photo.
  ///
  /// - Parameter settings: What the photo is to be like; new ones for each photo.
  /// - Returns: The photo.
  /// - Throws: ``CaptureError``: `settingsReused`, `tooManyPhotos`, `noConnection`, `notRunning`,
  ///   `timedOut`, `disconnected`, `stopped`, `corruptFrame`, `cannotEncode`; `CancellationError` where the task was
  ///   cancelled.
  public func capturePhoto(with settings: CapturePhotoSettings) async throws -> CapturePhoto {
    // Settings that another call has used already name that call's request, which is not ours to end.
    let isOurs = Atomic(false)
    return try await withTaskCancellationHandler {
      try Task.checkCancellation()
      do {
        return try await withCheckedThrowingContinuation { continuation in
          let isTaken = capture(settings) { event in
            guard case .didFinishProcessing(let photo, let error) = event else { return }
            continuation.resume(with: error.map { .failure($0) } ?? .success(photo))
          }
          isOurs.store(isTaken, ordering: .sequentiallyConsistent)
          // A cancellation that came before the request was there has found nothing to end.
          if isTaken, Task.isCancelled { requests.end(settings.uniqueID, .cancelled) }
        }
      } catch {
        try Task.checkCancellation()
        throw error
      }
    } onCancel: {
      guard isOurs.load(ordering: .sequentiallyConsistent) else { return }
      requests.end(settings.uniqueID, .cancelled)
    }
  }

  /// Takes a request up.
  ///
  /// - Returns: Whether the settings were free for it.
  @discardableResult
  private func capture(
    _ settings: CapturePhotoSettings, handler: @escaping PhotoEventHandler
  ) -> Bool {
    let candidates = connections
    let connection = candidates.first { $0.isEnabled && $0.isActive }
    let resolved = CaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID,
      photoDimensions: settings.photoDimensions(on: connection))
    guard settings.take() else {
      requests.refuse(resolved, CaptureError(.settingsReused), handler: handler)
      return false
    }
    guard let connection else {
      requests.refuse(resolved, whyNoneIsActive(of: candidates), handler: handler)
      return true
    }
    let device = connection.input.device
    let processor = PhotoProcessor(
      quality: settings.quality, rotation: settings.rotation, turn: connection.uprightTurn,
      manufacturer: device.manufacturer, model: device.localizedName)
    requests.submit(
      PhotoRequestQueue.Order(
        connection: connection, resolved: resolved, processor: processor,
        timeout: settings.timeout, handler: handler))
    return true
  }
}

extension CapturePhotoOutput {
  /// Why no photo can be taken over any of the connections.
  private func whyNoneIsActive(of connections: [CaptureConnection]) -> CaptureError {
    let enabled = connections.filter(\.isEnabled)
    if enabled.isEmpty { return CaptureError(.noConnection) }
    let failures = enabled.compactMap { requests.failure(of: $0) }
    return failures.count == enabled.count ? failures[0] : CaptureError(.notRunning)
  }
}

extension CaptureError {
  fileprivate static let cancelled = CaptureError(.stopped, "The photo was cancelled.")
}

extension CapturePhotoSettings {
  /// The stored picture's size on a connection: sides change places where pixels are turned.
  fileprivate func photoDimensions(on connection: CaptureConnection?) -> VideoDimensions {
    guard let connection, let size = connection.format?.dimensions else {
      return VideoDimensions(width: 0, height: 0)
    }
    let swapsSides = rotation == .pixels && connection.uprightTurn.imageOrientation.swapsSides
    return swapsSides ? VideoDimensions(width: size.height, height: size.width) : size
  }
}

// MARK: - CaptureOutput

extension CapturePhotoOutput {
  /// Takes note of the connection; the session calls it.
  public func didConnect(_ connection: CaptureConnection) {
    state.withLock { $0.connections.append(connection) }
  }

  /// Forgets the connection; the session calls it.
  public func didDisconnect(_ connection: CaptureConnection) {
    state.withLock { $0.connections.removeAll { $0 === connection } }
    requests.disconnected(connection)
  }

  /// Takes note of the start; the session calls it.
  public func connection(
    _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
  ) {
    let settling = settlingTime ?? connection.input.device.description.settlingTime
    requests.streamStarted(connection, settledAt: time.advanced(by: Self.bounded(settling)))
  }

  /// Offers the frame to waiting photos; the session calls it.
  public func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    requests.receive(frame, from: connection)
  }

  /// Ends waiting photos; the session calls it.
  public func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    requests.streamEnded(connection, error ?? CaptureError(.stopped))
  }
}

// MARK: - The delegate's form

/// Turns events into a delegate's calls, and keeps the delegate until the last.
private final class DelegateAdapter: @unchecked Sendable {  // calls on one serial queue only
  private let delegate: any CapturePhotoCaptureDelegate

  init(_ delegate: any CapturePhotoCaptureDelegate) {
    self.delegate = delegate
  }

  func deliver(_ event: PhotoEvent, from output: CapturePhotoOutput) {
    switch event {
    case .willBegin(let settings): delegate.photoOutput(output, willBeginCaptureFor: settings)
    case .willCapture(let settings): delegate.photoOutput(output, willCapturePhotoFor: settings)
    case .didCapture(let settings): delegate.photoOutput(output, didCapturePhotoFor: settings)
    case .didFinishProcessing(let photo, let error):
      delegate.photoOutput(output, didFinishProcessingPhoto: photo, error: error)
    case .didFinish(let settings, let error):
      delegate.photoOutput(output, didFinishCaptureFor: settings, error: error)
    }
  }
}
