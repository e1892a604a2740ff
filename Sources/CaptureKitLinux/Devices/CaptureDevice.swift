import Synchronization

/// One camera; Apple's `AVCaptureDevice`.
///
/// An object stands for one stay of the camera in the machine: when the camera is found to be unplugged,
/// by a session, a look-up or a watch, ``isConnected`` becomes false for good, and a replug makes a new
/// object with the same ``uniqueID``; see <doc:watching-for-cameras>. All members may be used from any
/// thread.
public final class CaptureDevice: Sendable {
  let backend: any CaptureBackend
  let environment: CaptureEnvironment
  private let state: Mutex<State>

  private struct State {
    var description: CaptureDeviceDescription
    /// The look that the description comes from.
    var look = 0
    var isConnected = true
    var locks = 0
    var formats: [Format]?
    var choice: FormatChoice?
    var lastError: CaptureError?
    /// Kept from the first use until the last unlock, so that changes in a row open the camera once.
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
  /// The side of the machine that the camera looks from; unspecified where nobody says.
  public var position: Position { description.position }
  /// Degrees clockwise by which its pictures must be turned to be upright in the natural position.
  public var mountingAngle: Int { description.mountingAngle }
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
    state.withLock { state in
      guard look > state.look else { return }
      if state.description.formats != description.formats { state.formats = nil }
      (state.description, state.look) = (description, look)
    }
  }

  /// Tells everybody that whoever used the camera found it gone; does nothing where that is known.
  func noteLoss() {
    let now = environment.clock.now
    guard let backend = environment.registry.lose(self, now: now) else { return }
    environment.watches.lookAgain(at: backend, after: now.advanced(by: DeviceRoll.grace))
  }
}

// MARK: - Formats

extension CaptureDevice {
  /// The formats that the camera offers, in the driver's order; empty where it cannot be asked.
  ///
  /// The first call asks the camera, which may have to be opened for it.
  public var formats: [Format] { (try? loadFormats()) ?? [] }

  /// The formats that the camera offers.
  ///
  /// - Returns: The formats in the driver's order.
  /// - Throws: ``CaptureError`` where the camera cannot be asked: `notPermitted`, `disconnected`.
  public func loadFormats() throws -> [Format] {
    if let formats = state.withLock({ $0.formats }) { return formats }
    do {
      let formats = try backend.formats(of: description)
      state.withLock { $0.formats = formats }
      return formats
    } catch {
      throw CaptureError.wrapping(error)
    }
  }

  /// The format that was last chosen for this camera; nil where none was.
  ///
  /// The later of two decides, a format chosen for the device or a preset set for the session: while the
  /// format does, the session's preset reads `inputPriority`. A running session takes a change over
  /// when a configuration is next committed.
  ///
  /// As on Apple's systems the device must be locked. What is refused changes nothing and is kept
  /// in ``lastError``; ``setActiveFormat(_:)`` throws it.
  public var activeFormat: Format? {
    get { formatChoice?.format }
    set {
      do {
        try setActiveFormat(newValue)
      } catch {
        let error = CaptureError.wrapping(error)
        state.withLock { $0.lastError = error }
      }
    }
  }

  /// Chooses a format.
  ///
  /// - Parameter format: One of ``formats``, or one narrowed to a size; nil leaves the choice to the
  ///   session's preset.
  /// - Throws: ``CaptureError`` with the code `notLocked` or `unsupportedFormat`.
  public func setActiveFormat(_ format: Format?) throws {
    guard state.withLock({ $0.locks > 0 }) else { throw CaptureError(.notLocked) }
    if let format {
      let isOffered = try loadFormats().contains {
        $0.pixelFormat == format.pixelFormat && $0.offers(format.minimumDimensions)
          && $0.offers(format.maximumDimensions)
      }
      guard isOffered else {
        throw CaptureError(
          .unsupportedFormat,
          "\(localizedName) does not offer \(format): choose one of its formats.")
      }
    }
    state.withLock { $0.choice = format.map { FormatChoice(format: $0, turn: .next()) } }
  }

  var formatChoice: FormatChoice? { state.withLock { $0.choice } }

  /// The last refused change; nil where there was none.
  public var lastError: CaptureError? { state.withLock { $0.lastError } }
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

// MARK: - Access to the controls

extension CaptureDevice {
  /// Access to the controls; the one that is open, where the device is locked.
  func controlAccess() throws -> any CaptureControlAccess {
    let (isConnected, open) = state.withLock { ($0.isConnected, $0.controlAccess) }
    guard isConnected else { throw CaptureError.disconnected(self) }
    if let open { return open }
    let fresh = try backend.controls(of: description)
    state.withLock { if $0.locks > 0, $0.isConnected { $0.controlAccess = fresh } }
    return fresh
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
