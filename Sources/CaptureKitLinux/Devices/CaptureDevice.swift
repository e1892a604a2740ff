import Synchronization

/// One camera; Apple's `AVCaptureDevice`.
///
/// An object stands for one stay of the camera in the machine: when the camera is found to be
/// unplugged, by a session, a look-up or a watch, ``isConnected`` becomes false for good, and a
/// replug makes a new object with the same ``uniqueID``; see <doc:watching-for-cameras>. All
/// members may be used from any thread.
public final class CaptureDevice: Sendable {
  let backend: any CaptureBackend
  let environment: CaptureEnvironment
  private let state: Mutex<State>
  let formatState = Mutex(FormatState())

  private struct State {
    var description: CaptureDeviceDescription
    /// The look that the description comes from.
    var look = 0
    var isConnected = true
    var locks = 0
    var lastError: CaptureError?
    /// Kept from the first use until the last unlock, so that changes in a row open the camera
    /// once.
    var controlAccess: (any CaptureControlAccess)?
    /// Whether a fixed exposure was chosen by its values.
    var isExposureCustom = false
  }

  init(
    description: CaptureDeviceDescription, backend: any CaptureBackend,
    environment: CaptureEnvironment
  ) {
    state = Mutex(State(description: description))
    self.backend = backend
    self.environment = environment
  }

  /// Finds the camera behind a path: any capture node, listed by discovery or not.
  ///
  /// - Parameter path: A device node's path, `/dev/video0` or a link to it.
  /// - Throws: ``CaptureError`` with the code `noDevice`, `notACamera` or `notPermitted`.
  public convenience init(path: String) throws {
    let environment = CaptureEnvironment.current
    let (description, backend) = try environment.device(atPath: path)
    self.init(
      description: description, backend: environment.backends[backend], environment: environment)
    environment.registry.follow(self, at: backend)
  }
}

// MARK: - What it is

extension CaptureDevice {
  /// What the backend said last of this stay of the camera.
  var description: CaptureDeviceDescription { state.withLock { $0.description } }

  /// Names the physical camera, the same after a replug and a reboot.
  public var uniqueID: String { description.uniqueID }
  /// The camera's name for people.
  public var localizedName: String { description.localizedName }
  /// The maker's name; empty where unknown.
  public var manufacturer: String { description.manufacturer }
  /// The model, `046d:0825` for a USB camera; empty where unknown.
  public var modelID: String { description.modelID }
  /// Built in or external.
  public var deviceType: DeviceType { description.deviceType }
  /// The device node, `/dev/video0`; nil for a camera without one.
  public var nodePath: String? { description.nodePath }
  /// The kernel driver's name; nil for a camera without one.
  public var driver: String? { description.driver }
  /// Whether this program may open this camera.
  public var authorization: AuthorizationStatus { description.authorization }

  /// Whether the camera is there; false once it was unplugged, and then for good.
  public var isConnected: Bool { state.withLock { $0.isConnected } }

  /// Whether the camera gives a kind of media.
  public func hasMediaType(_ mediaType: MediaType) -> Bool { mediaType == .video }

  /// Marks the camera as gone.
  func markDisconnected() {
    let access = state.withLock { state in
      state.isConnected = false
      defer { state.controlAccess = nil }
      return state.controlAccess
    }
    // What is let go of closes the camera, so not under the lock.
    _ = access
  }

  /// Takes over what a look has found, unless a later one was quicker.
  func update(_ description: CaptureDeviceDescription, look: Int) {
    let isOtherOffer = state.withLock { state in
      guard look > state.look else { return false }
      defer { (state.description, state.look) = (description, look) }
      return state.description.formats != description.formats
    }
    if isOtherOffer { formatState.withLock { $0.formats = nil } }
  }

  /// Tells everybody that whoever used the camera found it gone; does nothing where that is known.
  func noteLoss() {
    let now = environment.clock.now
    guard let backend = environment.registry.lose(self, now: now) else { return }
    environment.watches.lookAgain(at: backend, after: now.advanced(by: DeviceRoll.grace))
  }
}

// MARK: - Refused changes

extension CaptureDevice {
  /// The last refused change; nil where there was none.
  public var lastError: CaptureError? { state.withLock { $0.lastError } }

  /// Makes a change whose error cannot be thrown: it is kept as the last one.
  func keepingRefusal(_ change: () throws -> Void) {
    do {
      try change()
    } catch {
      let error = CaptureError.wrapping(error)
      state.withLock { $0.lastError = error }
    }
  }
}

// MARK: - Configuration lock

extension CaptureDevice {
  /// Allows changes of the device; each call needs its ``unlockForConfiguration()``.
  ///
  /// - Throws: ``CaptureError`` with the code `disconnected`.
  public func lockForConfiguration() throws {
    try state.withLock { state in
      guard state.isConnected else { throw CaptureError.disconnected(self) }
      state.locks += 1
    }
  }

  /// Ends changes of the device; does nothing where it is not locked.
  public func unlockForConfiguration() {
    let access = state.withLock { state in
      state.locks = max(0, state.locks - 1)
      defer { if state.locks == 0 { state.controlAccess = nil } }
      return state.controlAccess
    }
    // What is let go of closes the camera, so not under the lock.
    _ = access
  }

  /// Throws where nobody has locked the device.
  func requireLock() throws {
    guard state.withLock({ $0.locks > 0 }) else { throw CaptureError(.notLocked) }
  }
}

// MARK: - Access to the controls

extension CaptureDevice {
  /// Access to the controls; the one that is open, where the device is locked.
  func controlAccess() throws -> any CaptureControlAccess {
    let (isConnected, open) = state.withLock { ($0.isConnected, $0.controlAccess) }
    guard isConnected else { throw CaptureError.disconnected(self) }
    if let open { return open }
    let fresh = try backend.controls(of: description)
    return state.withLock { state in
      guard state.locks > 0, state.isConnected else { return fresh }
      // Another thread may have been quicker.
      let access = state.controlAccess ?? fresh
      state.controlAccess = access
      return access
    }
  }

  /// Whether a fixed exposure was chosen by its values.
  var isExposureCustom: Bool {
    get { state.withLock { $0.isExposureCustom } }
    set { state.withLock { $0.isExposureCustom = newValue } }
  }
}

extension CaptureError {
  static func disconnected(_ device: CaptureDevice) -> CaptureError {
    CaptureError(.disconnected, "\(device.localizedName) was unplugged: plug it in again.")
  }
}

// MARK: - Hashable

extension CaptureDevice: Hashable {
  /// Devices are equal when they are the same object.
  public static func == (one: CaptureDevice, other: CaptureDevice) -> Bool { one === other }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
