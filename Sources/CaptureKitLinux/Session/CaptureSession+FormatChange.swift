// On the transition queue.
extension CaptureSession {
  /// Starts a camera, in its old format where it ran in one and cannot start in the new one.
  ///
  /// - Parameters:
  ///   - device: The camera; what was chosen for it goes back to what it runs with.
  ///   - old: What it ran with until now; nil where it did not run.
  ///   - new: What it is to run with.
  ///   - start: Starts it.
  /// - Throws: Why it could not start in the new format, also where it runs in the old one.
  func startLoop(
    _ device: CaptureDevice, from old: CaptureFormat?, to new: CaptureFormat,
    _ start: (CaptureFormat) throws -> Void
  ) throws {
    do {
      try start(new)
      device.settleFormat()
    } catch {
      guard let old, device.isConnected else { throw error }
      device.takeFormatBack()
      // Where that fails too, the first reason is the one to tell.
      try? start(old)
      throw error
    }
  }

  /// Tells outputs, before the first frame in a new format, that nobody knows what came between.
  func announceDiscontinuity(of routes: [StreamLoop.Route], at time: HostTime) {
    for route in routes {
      route.output.connection(
        route.connection, didDrop: DroppedFrame(.discontinuity, at: time))
    }
  }
}
