extension CaptureDevice {
  /// How strictly discovery takes a wished position and device type.
  public enum Matching: Hashable, Sendable {
    /// Where no camera of the machine says its position, any camera matches any position; an external
    /// camera stands in for a built-in one where there is none. So a webcam is found by code that
    /// asks for the front or the wide-angle camera, as phones' code does.
    case generous
    /// Only what the cameras say.
    case strict
  }

  /// A list of cameras by wish, as Apple's `AVCaptureDevice.DiscoverySession`.
  public struct DiscoverySession: Sendable {
    /// The cameras that match, those that match to the letter first.
    public let devices: [CaptureDevice]

    /// Looks for cameras; waits until the backends have answered.
    ///
    /// - Parameters:
    ///   - deviceTypes: The kinds wished for, the most wished first.
    ///   - mediaType: `.video`; nothing is found for others.
    ///   - position: The position wished for; `.unspecified` for any.
    ///   - matching: How strictly the wish is taken.
    public init(
      deviceTypes: [DeviceType], mediaType: MediaType?, position: Position,
      matching: Matching = .generous
    ) {
      guard mediaType ?? .video == .video else {
        devices = []
        return
      }
      let wish = DeviceWish(types: deviceTypes, position: position, matching: matching)
      devices = wish.choose(from: CaptureEnvironment.current.devicesNow(), by: \.description)
    }
  }

  /// The camera to use where the user has not chosen one; nil where there is none.
  ///
  /// Cameras that this program may open come first, then the machine's own order.
  public static func `default`(for mediaType: MediaType) -> CaptureDevice? {
    guard mediaType == .video else { return nil }
    let devices = CaptureEnvironment.current.devicesNow()
    return devices.first { $0.authorization == .authorized } ?? devices.first
  }

  /// The camera that fits a wish best; nil where none does.
  ///
  /// - Parameters:
  ///   - deviceType: The kind wished for.
  ///   - mediaType: `.video`; nothing is found for others.
  ///   - position: The position wished for; `.unspecified` for any.
  ///   - matching: How strictly the wish is taken.
  /// - Returns: The best camera, one that this program may open before others.
  public static func `default`(
    _ deviceType: DeviceType, for mediaType: MediaType?, position: Position,
    matching: Matching = .generous
  ) -> CaptureDevice? {
    let devices = DiscoverySession(
      deviceTypes: [deviceType], mediaType: mediaType, position: position, matching: matching
    ).devices
    return devices.first { $0.authorization == .authorized } ?? devices.first
  }

  /// Finds a camera by its id.
  ///
  /// - Parameter uniqueID: What ``uniqueID`` said before. Where two cameras of one serial number are
  ///   told apart by their ports now, the id without a port finds the first.
  /// - Returns: nil where the camera is not there.
  public static func device(withUniqueID uniqueID: String) -> CaptureDevice? {
    let devices = CaptureEnvironment.current.devicesNow()
    return devices.first { $0.uniqueID == uniqueID }
      ?? devices.first { $0.uniqueID.hasPrefix(uniqueID + "@") }
      ?? devices.first { uniqueID.hasPrefix($0.uniqueID + "@") }
  }

  /// Whether this program may use cameras: denied where there are some and none may be opened.
  public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
    guard mediaType == .video else { return .restricted }
    let devices = CaptureEnvironment.current.devicesNow()
    let isDenied = !devices.isEmpty && devices.allSatisfy { $0.authorization != .authorized }
    return isDenied ? .denied : .authorized
  }

  /// Asks for permission; on Linux nobody is asked, so it answers what is.
  ///
  /// - Parameter mediaType: The kind of media.
  /// - Returns: Whether cameras may be opened.
  public static func requestAccess(for mediaType: MediaType) async -> Bool {
    guard mediaType == .video else { return false }
    let devices = (try? await CaptureEnvironment.current.devices()) ?? []
    return devices.isEmpty || devices.contains { $0.authorization == .authorized }
  }
}
