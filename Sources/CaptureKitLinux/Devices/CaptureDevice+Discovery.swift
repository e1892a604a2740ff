extension CaptureDevice {
  /// How strictly discovery takes a wished position and device type.
  public enum Matching: Hashable, Sendable {
    /// Where no camera of the machine says its position, any camera matches any position; an
    /// external camera stands in for a built-in one where there is none. So a webcam is found by
    /// code that asks for the front or the wide-angle camera, as phones' code does.
    case generous
    /// Only what the cameras say.
    case strict
  }

  /// The camera to use where the user has not chosen one; nil where there is none.
  ///
  /// Cameras that this program may open come first, then the machine's own order. Waits until the
  /// backends have answered, ten seconds at most.
  public static func `default`(for mediaType: MediaType) -> CaptureDevice? {
    guard mediaType == .video else { return nil }
    return preferred(CaptureEnvironment.current.devicesNow())
  }

  /// The camera that fits a wish best; nil where none does. Waits as ``default(for:)``.
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
    guard mediaType ?? .video == .video else { return nil }
    let wish = DeviceWish(types: [deviceType], position: position, matching: matching)
    return preferred(wish.choose(from: CaptureEnvironment.current.devicesNow(), by: \.mounted))
  }

  private static func preferred(_ devices: [CaptureDevice]) -> CaptureDevice? {
    devices.first { $0.authorization == .authorized } ?? devices.first
  }

  /// Finds a camera by its id. Waits as ``default(for:)``.
  ///
  /// - Parameter uniqueID: What ``uniqueID`` said before. Where two cameras of one serial number
  ///   are told apart by their ports now, the id without a port finds the first.
  /// - Returns: nil where the camera is not there.
  public static func device(withUniqueID uniqueID: String) -> CaptureDevice? {
    let devices = CaptureEnvironment.current.devicesNow()
    return devices.first { $0.uniqueID == uniqueID }
      ?? devices.first { isSameCamera($0.uniqueID, uniqueID) }
  }
}
