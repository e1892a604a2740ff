/// What a backend says while somebody watches it: see ``CaptureBackend/changes()``.
public enum CaptureBackendEvent: Sendable {
  /// The list of cameras may have changed: it is worth looking again.
  case devicesMayHaveChanged
  /// Changes cannot be noticed as they happen, for this reason; they are looked for now and then.
  ///
  /// It is kept in ``CaptureEnvironment/watchError``.
  case isDelayed(CaptureError)
}
