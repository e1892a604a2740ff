import Imaging

extension CapturePhotoOutput {
  /// Takes a photo, or several, and tells a delegate.
  ///
  /// - Parameters:
  ///   - settings: What the photo is to be like; new ones for each request.
  ///   - delegate: Follows the request; kept until its last call.
  public func capturePhoto(
    with settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate
  ) {
    let adapter = PhotoDelegateAdapter(delegate)
    capture(settings) { [self] event in adapter.deliver(event, from: self) }
  }

  /// Takes a photo, or several, and calls a closure with each, or with why there is none.
  ///
  /// - Parameters:
  ///   - settings: What the photo is to be like; new ones for each request.
  ///   - completion: Called exactly once for each photo that is asked for, on the output's own
  ///     queue. The error is a ``CaptureError``.
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
  /// - Parameter settings: What the photo is to be like; new ones for each request. For one photo:
  ///   see ``capturePhotos(with:)`` for several.
  /// - Returns: The photo.
  /// - Throws: ``CaptureError``: `settingsReused`, `unsupportedSettings`, `tooManyPhotos`,
  ///   `noConnection`, `notRunning`, `timedOut`, `disconnected`, `stopped`, `corruptFrame`,
  ///   `unsupportedFormat` where nothing here reads the camera's, `cannotEncode`, `cannotRotate`,
  ///   `unsupportedControl`, `invalidControlValue`; while the camera is interrupted why, `inUse`, `noSignal` or `privacyShutter`, and after it has failed
  ///   what ended it; `CancellationError` where the task was cancelled.
  public func capturePhoto(with settings: CapturePhotoSettings) async throws -> CapturePhoto {
    guard settings.current.photoCount == 1 else {
      throw CaptureError(
        .unsupportedSettings,
        "The settings ask for \(settings.current.photoCount) photos: call capturePhotos(with:).")
    }
    try Task.checkCancellation()
    var first: CapturePhoto?
    do {
      for try await photo in capturePhotos(with: settings) { first = first ?? photo }
    } catch {
      try Task.checkCancellation()
      throw error
    }
    guard let first else {
      try Task.checkCancellation()
      throw CaptureError.cancelled
    }
    return first
  }

  /// Takes the photos of a burst or a bracket, one after the other.
  ///
  /// ```swift
  /// let settings = CapturePhotoSettings()
  /// settings.burstCount = 5
  /// for try await photo in photos.capturePhotos(with: settings) {
  ///   try photo.write(to: folder.appending(path: "\(photo.photoCount).jpg"))
  /// }
  /// ```
  ///
  /// - Parameter settings: What the photos are to be like; new ones for each request.
  /// - Returns: The photos. It ends with an error, a ``CaptureError``, where one could not be
  ///   taken. Who stops looking ends the request.
  public func capturePhotos(
    with settings: CapturePhotoSettings
  ) -> AsyncThrowingStream<CapturePhoto, any Error> {
    let (stream, continuation) = AsyncThrowingStream<CapturePhoto, any Error>.makeStream()
    let isTaken = capture(settings) { event in
      switch event {
      case .didFinishProcessing(let photo, nil): continuation.yield(photo)
      case .didFinishProcessing(_, let error?): continuation.finish(throwing: error)
      case .didFinish: continuation.finish()
      default: break
      }
    }
    // Settings that another call has used already name that call's request, which is not ours to
    // end.
    guard isTaken else { return stream }
    let id = settings.uniqueID
    continuation.onTermination = { [requests] termination in
      if case .cancelled = termination { requests.end(id, .cancelled) }
    }
    return stream
  }
}

// MARK: - Taking a request up

extension CapturePhotoOutput {
  /// Takes a request up.
  ///
  /// - Returns: Whether the settings were free for it.
  @discardableResult
  private func capture(
    _ settings: CapturePhotoSettings, handler: @escaping PhotoEventHandler
  ) -> Bool {
    let wishes = settings.current
    let candidates = connections
    let connection = candidates.first { $0.isEnabled && $0.isActive }
    let still = connection.flatMap { wishes.stillFormat(on: $0) }
    var resolved = CaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID,
      photoDimensions: wishes.photoDimensions(still?.dimensions, on: connection))
    resolved.expectedPhotoCount = min(wishes.photoCount, maxBurstPhotoCount)
    guard settings.take() else {
      requests.refuse(resolved, CaptureError(.settingsReused), handler: handler)
      return false
    }
    if let refusal = wishes.refusal(by: limits) {
      requests.refuse(resolved, refusal, handler: handler)
      return true
    }
    guard let connection else {
      requests.refuse(resolved, whyNoneIsActive(of: candidates), handler: handler)
      return true
    }
    requests.submit(
      PhotoRequestQueue.Order(
        connection: connection, resolved: resolved,
        processor: PhotoProcessor(wishes, connection),
        requestedAt: connection.input.device.environment.clock.now,
        preparation: preparation(for: wishes, still, of: resolved.uniqueID, on: connection),
        handler: handler))
    return true
  }

  /// What has to be done to the camera first; nil for most photos.
  private func preparation(
    for wishes: PhotoWishes, _ still: CaptureFormat?, of id: Int64,
    on connection: CaptureConnection
  ) -> (any PhotoPreparation)? {
    let device = connection.input.device
    if !wishes.bracket.isEmpty { return ExposureBracket(wishes.bracket, of: device) }
    guard let still else { return nil }
    return LargerStill(
      still, on: connection, timeout: wishes.timeout, settling: settlingTime(of: device),
      receive: { [requests] in requests.receive($0, from: connection) },
      fail: { [requests] in requests.end(id, $0) })
  }

  /// Why no photo can be taken over any of the connections.
  private func whyNoneIsActive(of connections: [CaptureConnection]) -> CaptureError {
    let enabled = connections.filter(\.isEnabled)
    if enabled.isEmpty { return CaptureError(.noConnection) }
    if let obstacle = enabled.lazy.compactMap(\.obstacle).first { return obstacle }
    let failures = enabled.compactMap { requests.failure(of: $0) }
    return failures.count == enabled.count ? failures[0] : CaptureError(.notRunning)
  }
}

extension CaptureError {
  fileprivate static let cancelled = CaptureError(.stopped, "The photo was cancelled.")
}

extension PhotoProcessor {
  fileprivate init(_ wishes: PhotoWishes, _ connection: CaptureConnection) {
    let device = connection.input.device
    self.init(
      wishes: wishes, turn: connection.uprightTurn, manufacturer: device.manufacturer,
      model: device.localizedName)
  }
}

extension PhotoWishes {
  /// The stored picture's size on a connection: sides change places where pixels are turned.
  fileprivate func photoDimensions(
    _ still: VideoDimensions?, on connection: CaptureConnection?
  ) -> VideoDimensions {
    guard let connection, let size = still ?? connection.format?.dimensions else {
      return VideoDimensions(width: 0, height: 0)
    }
    let swapsSides = rotation != .exif && connection.uprightTurn.imageOrientation.swapsSides
    return swapsSides ? VideoDimensions(width: size.height, height: size.width) : size
  }

  /// The format that the stream is to be interrupted for; nil where it is not.
  fileprivate func stillFormat(on connection: CaptureConnection) -> CaptureFormat? {
    guard let maxDimensions, let stream = connection.format?.dimensions else { return nil }
    return StillFormat.choose(
      from: connection.input.device.formats, beyond: stream, atMost: maxDimensions)
  }
}
