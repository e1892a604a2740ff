extension CaptureDevice {
  /// Whether this program may use cameras; waits until the backends have answered.
  ///
  /// On Linux the device nodes say so, and nobody is asked: it is never `notDetermined`.
  ///
  /// - Parameter mediaType: `.video`; all else is `restricted`.
  /// - Returns: `authorized` where a camera may be opened, or where nothing keeps this program from
  ///   one that is plugged in; `denied` where this user may open none of those that are there;
  ///   `restricted` where a sandbox or a container hides the machine's cameras.
  public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
    guard mediaType == .video else { return .restricted }
    let environment = CaptureEnvironment.current
    return environment.authorization(of: environment.devicesNow()).status
  }

  /// Why this program may not use cameras, and what to do; nil where it may. Waits until the
  /// backends have answered.
  ///
  /// The error's code is `notPermitted`; its sentence names the group to join, the node that is
  /// missing, or how the sandbox lets cameras in, and can be shown as it is.
  public static func authorizationFailure(for mediaType: MediaType) -> CaptureError? {
    guard mediaType == .video else { return onlyVideo }
    let environment = CaptureEnvironment.current
    return environment.authorization(of: environment.devicesNow()).failure
  }

  /// Asks for permission; on Linux nobody is asked, so it answers what is.
  ///
  /// - Parameter mediaType: The kind of media.
  /// - Returns: Whether cameras may be used; ``authorizationFailure(for:)`` says why they may not.
  public static func requestAccess(for mediaType: MediaType) async -> Bool {
    do {
      try await requireAccess(for: mediaType)
      return true
    } catch {
      return (error as? CaptureError)?.code != .notPermitted
    }
  }

  /// Asks for permission; on Linux nobody is asked, so it answers what is.
  ///
  /// - Parameters:
  ///   - mediaType: The kind of media.
  ///   - handler: Called on any thread, with whether cameras may be used.
  @preconcurrency
  public static func requestAccess(
    for mediaType: MediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    Task { handler(await requestAccess(for: mediaType)) }
  }

  /// Makes sure that this program may use cameras: the throwing twin of ``requestAccess(for:)``.
  ///
  /// - Parameter mediaType: The kind of media.
  /// - Throws: ``CaptureError`` with the code `notPermitted` and the sentence of
  ///   ``authorizationFailure(for:)``, and what listing the cameras throws.
  public static func requireAccess(for mediaType: MediaType) async throws {
    guard mediaType == .video else { throw onlyVideo }
    let environment = CaptureEnvironment.current
    let failure = environment.authorization(of: try await environment.devices()).failure
    if let failure { throw failure }
  }

  /// Why this program may not open this camera, and what to do; nil where it may.
  public var authorizationFailure: CaptureError? {
    guard authorization != .authorized else { return nil }
    return backend.authorizationFailure(of: description)
  }

  private static let onlyVideo = CaptureError(
    .notPermitted, "Only video can be captured: ask for the media type .video.")
}

extension CaptureEnvironment {
  /// What the cameras that are there, or their absence, say of permission.
  fileprivate func authorization(
    of devices: [CaptureDevice]
  ) -> (status: CaptureDevice.AuthorizationStatus, failure: CaptureError?) {
    if devices.contains(where: { $0.authorization == .authorized }) { return (.authorized, nil) }
    if let device = devices.first(where: { $0.authorization == .denied }) ?? devices.first {
      // It may have been allowed since it was looked at.
      guard let failure = device.authorizationFailure else { return (.authorized, nil) }
      return (device.authorization, failure)
    }
    let failure = backends.lazy.compactMap { $0.authorizationFailure(of: nil) }.first
    return (failure == nil ? .authorized : .restricted, failure)
  }
}
