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
/// A photo is never older than its request: a frame whose exposure began before it is not taken,
/// unless ``isZeroShutterLagEnabled`` is set. A camera that sends JPEG has its JPEG kept; raw
/// frames are encoded. The picture comes out upright for the connection's
/// ``CaptureConnection/videoOrientation``. See <doc:taking-photos>.
public final class CapturePhotoOutput: CaptureOutput {
  let requests = PhotoRequestQueue()
  private let state = Mutex(State())

  private struct State {
    var connections: [CaptureConnection] = []
    var settlingTime: Duration?
    var maxPrioritization = QualityPrioritization.balanced
    var maxDimensions: VideoDimensions?
    var isZeroShutterLagEnabled = false
  }

  /// Makes an output that is not connected yet: add it to a session.
  public init() {}

  /// The connections from the session's cameras.
  public var connections: [CaptureConnection] { state.withLock { $0.connections } }

  /// The connection from the session's first camera; nil before there is one.
  public func connection(with mediaType: MediaType) -> CaptureConnection? {
    mediaType == .video ? connections.first : nil
  }
}

// MARK: - What photos may be like

extension CapturePhotoOutput {
  /// How long after a camera's start its exposure and white balance may take to settle, at most.
  ///
  /// Webcams start dark. A photo asked for within that time waits until the camera's pictures are
  /// seen to have settled, but no longer than to its end; one asked for later does not wait. nil,
  /// as it is until set: what the camera's backend knows; 1.5 seconds for the kernel's cameras. At
  /// most ten seconds. Takes effect with the next start.
  public var settlingTime: Duration? {
    get { state.withLock { $0.settlingTime } }
    set { state.withLock { $0.settlingTime = newValue.map(Self.bounded) } }
  }

  /// How long a camera's exposure may take to settle after a start.
  func settlingTime(of device: CaptureDevice) -> Duration {
    Self.bounded(settlingTime ?? device.description.settlingTime)
  }

  private static func bounded(_ settlingTime: Duration) -> Duration {
    min(max(settlingTime, .zero), .seconds(10))
  }

  /// The most that ``CapturePhotoSettings/photoQualityPrioritization`` may be; balanced until set.
  public var maxPhotoQualityPrioritization: QualityPrioritization {
    get { state.withLock { $0.maxPrioritization } }
    set { state.withLock { $0.maxPrioritization = newValue } }
  }

  /// The largest photos that may be asked for in ``CapturePhotoSettings/maxPhotoDimensions``; nil,
  /// as it is until set, for none that are larger than what the camera streams.
  ///
  /// Set it to let photos interrupt the stream for a picture that is larger than the stream's.
  public var maxPhotoDimensions: VideoDimensions? {
    get { state.withLock { $0.maxDimensions } }
    set { state.withLock { $0.maxDimensions = newValue } }
  }

  /// The most photos that a burst may have.
  public var maxBurstPhotoCount: Int { 30 }

  /// The most photos that a bracket may have, ``CapturePhotoSettings/bracketedSettings``.
  ///
  /// Whether a camera has the controls for it is told when the bracket is taken.
  public var maxBracketedCapturePhotoCount: Int { 16 }

  /// Whether ``isZeroShutterLagEnabled`` can be set: always.
  public var isZeroShutterLagSupported: Bool { true }

  /// Whether a photo shows the moment when it was asked for rather than the next one; false until
  /// set.
  ///
  /// The last three frames are then kept, as copies, and the newest is the photo: its
  /// ``CapturePhoto/timestamp`` is from before the request, and ``CapturePhoto/precedesRequest``
  /// says so. Where no frame of the last half second is there, or exposure has not settled, the
  /// photo waits as any other. Bursts, brackets and stills larger than the stream are not
  /// concerned.
  public var isZeroShutterLagEnabled: Bool {
    get { state.withLock { $0.isZeroShutterLagEnabled } }
    set {
      state.withLock { $0.isZeroShutterLagEnabled = newValue }
      requests.keepRecentFrames(newValue)
    }
  }

  var limits: PhotoWishes.Limits {
    state.withLock { state in
      PhotoWishes.Limits(
        prioritization: state.maxPrioritization, dimensions: state.maxDimensions,
        burstCount: maxBurstPhotoCount,
        bracketCount: maxBracketedCapturePhotoCount)
    }
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
    requests.streamStarted(
      connection, settledAt: time.advanced(by: settlingTime(of: connection.input.device)))
  }

  /// Offers the frame to waiting photos; the session calls it.
  public func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    requests.receive(frame, from: connection)
  }

  /// Takes note of damage, which a photo that gets no whole frame is told of; the session calls it.
  public func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
    if frame.reason == .corrupt { requests.meetDamage(on: connection) }
  }

  /// Ends waiting photos; the session calls it.
  public func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    requests.streamEnded(connection, error ?? CaptureError(.stopped))
  }
}
