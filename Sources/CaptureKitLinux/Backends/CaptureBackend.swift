/// A source of cameras: the kernel's, simulated ones, or your own.
///
/// Give backends to a ``CaptureEnvironment``. Only discovery knows about them; a device carries its
/// own, so sessions, inputs and outputs are the same objects whatever stands behind them. The
/// article <doc:writing-a-capture-backend> builds one.
public protocol CaptureBackend: Sendable {
  /// Lists the cameras that are there now.
  ///
  /// Called on a thread where waiting is allowed. A camera that may not be opened is listed with
  /// `authorization` denied, not left out.
  ///
  /// - Returns: One description for each camera, in a stable order.
  /// - Throws: Any error; discovery then goes on with the other backends.
  func devices() async throws -> [CaptureDeviceDescription]

  /// Opens a camera that this backend has listed.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The opened camera, not started.
  /// - Throws: A ``CaptureError`` that says what to do.
  func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream

  /// Lists the formats of a camera; by default those of its description.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The formats, in the backend's order.
  /// - Throws: A ``CaptureError``.
  func formats(of device: CaptureDeviceDescription) throws -> [CaptureDevice.Format]

  /// Describes the camera behind a path, listed or not; by default nil.
  ///
  /// - Parameter path: A device node's path, or whatever the backend names its cameras by.
  /// - Returns: nil where the path is none of this backend's.
  /// - Throws: A ``CaptureError`` where the path is this backend's and no camera can be had from
  ///   it.
  func device(atPath path: String) throws -> CaptureDeviceDescription?

  /// Says what keeps this program from a camera; by default that this user may not open it.
  ///
  /// - Parameter device: A camera that was listed as one that may not be opened; nil where none was
  ///   listed at all, and something may hide them all.
  /// - Returns: An error with the code `notPermitted` whose sentence says what to do; nil where
  ///   nothing keeps this program from cameras.
  func authorizationFailure(of device: CaptureDeviceDescription?) -> CaptureError?

  /// Says when the list of cameras may have changed; by default it ends at once.
  ///
  /// Called when somebody begins to watch for cameras that come and go. Notice changes from the
  /// call on, and stop when the stream is let go of or its reader is cancelled: see
  /// `AsyncStream.Continuation.onTermination`. Whether something has changed is found out by
  /// ``devices()``, so saying it too often costs time and nothing else. A backend whose stream has
  /// ended is looked at every two seconds instead; one whose cameras never change returns a stream
  /// that says nothing and does not end.
  ///
  /// - Returns: The stream; each watch asks for one of its own.
  func changes() -> AsyncStream<CaptureBackendEvent>

  /// Gives access to a camera's controls, whether it streams or not; by default it has none.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The access, until it is let go of.
  /// - Throws: A ``CaptureError``: `disconnected`, `notPermitted`.
  func controls(of device: CaptureDeviceDescription) throws -> any CaptureControlAccess

  /// Resets the hardware of a camera that does not recover; by default that is refused.
  ///
  /// Called only where ``CaptureRecovery/resetsUSBDevice`` allows it, with no stream of the camera
  /// open.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Throws: A ``CaptureError``.
  func reset(_ device: CaptureDeviceDescription) throws

  /// Says what the link that a camera shares with others carries now; by default nobody knows.
  ///
  /// Called before a camera is started. Where its pictures do not fit beside what others hold, a
  /// session takes less of them, or says who holds what. Answer nil where a camera shares nothing,
  /// or reserves nothing.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The link; nil where there is no limit, or nobody knows it.
  func busLoad(of device: CaptureDeviceDescription) -> CaptureBusLoad?
}

extension CaptureBackend {
  /// Lists the formats of the camera's description.
  public func formats(of device: CaptureDeviceDescription) throws -> [CaptureDevice.Format] {
    device.formats
  }

  /// Knows no paths.
  public func device(atPath path: String) throws -> CaptureDeviceDescription? { nil }

  /// Names the camera.
  public func authorizationFailure(of device: CaptureDeviceDescription?) -> CaptureError? {
    device.map { CaptureError(.notPermitted, "This user may not open \($0.localizedName).") }
  }

  /// Ends at once: such a backend is looked at every two seconds while somebody watches.
  public func changes() -> AsyncStream<CaptureBackendEvent> { AsyncStream { $0.finish() } }

  /// Finds no controls.
  public func controls(of device: CaptureDeviceDescription) throws -> any CaptureControlAccess {
    NoControls()
  }

  /// Knows nothing.
  public func busLoad(of device: CaptureDeviceDescription) -> CaptureBusLoad? { nil }

  /// Refuses.
  public func reset(_ device: CaptureDeviceDescription) throws {
    throw CaptureError(.streamFailed, "\(device.localizedName) cannot be reset: plug it in anew.")
  }
}
