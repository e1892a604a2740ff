/// What has to be done to a camera before photos of one request can be taken, and undone after
/// them.
///
/// Called on a thread of its caller's choosing, where it must not block; it answers on any thread.
/// While a request has the camera for itself, other requests wait.
protocol PhotoPreparation: Sendable {
  /// Whether it is needed for each photo.
  var isForEachPhoto: Bool { get }

  /// Brings the camera to where a photo can be taken.
  ///
  /// - Parameters:
  ///   - photo: Which one, counted from 1.
  ///   - completion: Called once: with how long the picture may take to settle, or why it cannot be
  ///     done.
  func prepare(
    photo: Int, then completion: @escaping @Sendable (Result<Duration, CaptureError>) -> Void)

  /// Brings the camera back to where it was, whatever has become of the photos.
  ///
  /// - Parameter completion: Called once, with how long the picture may take to settle again.
  func restore(then completion: @escaping @Sendable (Duration) -> Void)
}
