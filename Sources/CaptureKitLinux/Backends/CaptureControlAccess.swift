/// Access to the controls of one camera, while it streams or not.
///
/// A backend whose cameras have controls gives it out in ``CaptureBackend/controls(of:)``. All
/// calls may come from any thread, and may wait for the camera. Letting go of the object ends the
/// access.
public protocol CaptureControlAccess: AnyObject, Sendable {
  /// Lists the controls as they are now, in the camera's order. One that cannot be described is
  /// left out.
  ///
  /// - Throws: A ``CaptureError`` where the camera cannot be asked at all: `disconnected`.
  func controls() throws -> [CaptureControl]

  /// Describes one control as it is now; by default looked up in ``controls()``.
  ///
  /// - Parameter id: The control.
  /// - Returns: nil where the camera has none of this id.
  /// - Throws: A ``CaptureError``.
  func control(_ id: CaptureControl.ID) throws -> CaptureControl?

  /// Reads values. That one cannot be read does not keep the others back.
  ///
  /// - Parameter ids: The controls.
  /// - Returns: For each a value, or why there is none; what the camera does not have is left out.
  /// - Throws: A ``CaptureError`` where the camera cannot be asked at all: `disconnected`.
  func values(
    of ids: [CaptureControl.ID]
  ) throws -> [CaptureControl.ID: Result<CaptureControl.Value, CaptureError>]

  /// Sets values, together where the camera can.
  ///
  /// Order and validity are seen to above: a value is one that the control accepts.
  ///
  /// - Parameter settings: The values, in the order in which they are to be set.
  /// - Throws: A ``CaptureError`` that names the first control that refuses; those before it are
  ///   set.
  func set(_ settings: [CaptureControl.Setting]) throws

  /// Tells of changes from now on, whoever makes them; by default of none.
  ///
  /// - Returns: A sequence that ends when the camera is gone. It keeps the newest that nobody has
  ///   read yet, at least 64 of them.
  /// - Throws: A ``CaptureError`` where the camera cannot be watched.
  func changes() throws -> AsyncStream<CaptureControlChange>
}

extension CaptureControlAccess {
  /// Looks a control up in the list.
  public func control(_ id: CaptureControl.ID) throws -> CaptureControl? {
    try controls().first { $0.id == id }
  }

  /// Tells of no changes.
  public func changes() throws -> AsyncStream<CaptureControlChange> {
    AsyncStream { $0.finish() }
  }
}

/// Stands in for the controls of cameras that have none.
final class NoControls: CaptureControlAccess {
  func controls() -> [CaptureControl] { [] }

  func values(
    of ids: [CaptureControl.ID]
  ) -> [CaptureControl.ID: Result<CaptureControl.Value, CaptureError>] { [:] }

  func set(_ settings: [CaptureControl.Setting]) {}
}
