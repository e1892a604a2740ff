import Glibc
import LinuxSystem

/// Tells of changes of a device's controls, on a thread of its own, until it is cancelled or the
/// device is gone.
package final class ControlWatch: Sendable {
  private let node: VideoNode
  private let wake: WakeEvent
  private let onChange: @Sendable (ControlEvent) -> Void
  private let onEnd: @Sendable () -> Void

  /// Starts to watch.
  /// - Parameters:
  ///   - node: For this watch alone; it is open until the end.
  ///   - controls: Which ones, described by the node.
  ///   - onChange: Called on the watch's thread, for each change.
  ///   - onEnd: Called once, on the watch's thread.
  /// - Returns: Nil where the driver tells of none of them.
  /// - Throws: `tooManyOpenFiles`, `controlFailed` where there is no room for a thread.
  package static func start(
    _ node: VideoNode, controls: [Control], onChange: @escaping @Sendable (ControlEvent) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) throws(VideoNodeError) -> ControlWatch? {
    // Each of them, told or not.
    let told = controls.filter { node.subscribe(toControl: $0.identifier, includesOwn: true) }
    guard !told.isEmpty else { return nil }
    do {
      let watch = ControlWatch(
        node: node, wake: try WakeEvent(), onChange: onChange, onEnd: onEnd)
      try NamedThread.start("camera controls", stackByteCount: 1 << 18) { watch.run() }
      return watch
    } catch {
      throw node.failure(error, during: .watchControls)
    }
  }

  private init(
    node: VideoNode, wake: WakeEvent, onChange: @escaping @Sendable (ControlEvent) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.node = node
    self.wake = wake
    self.onChange = onChange
    self.onEnd = onEnd
  }

  /// Ends the watch; a change that is being told still is. From any thread.
  package func cancel() {
    wake.signal()
  }

  private func run() {
    do throws(Errno) {
      let descriptor = try node.openDescriptor()
      while try wait(for: descriptor.rawValue) {
        // Drivers keep one for each control, so the loop ends but for a driver that does not.
        for _ in 0..<4096 {
          guard let event = try node.takeEvent() else { break }
          if case .controlChanged(let change) = event { onChange(change) }
        }
      }
    } catch {
      // Gone: the end says so.
    }
    node.close()
    onEnd()
  }

  /// Waits for news.
  /// - Returns: Whether there may be some; false when the watch is over.
  private func wait(for device: Int32) throws(Errno) -> Bool {
    let (answer, signal) = try node.poll(device, for: POLLPRI, or: wake, timeoutMilliseconds: -1)
    if signal != 0 { return false }
    guard answer & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 else { return true }
    guard node.isConnected else { return false }
    // Some drivers call it an error that nobody streams: they are looked at now and then.
    return try node.poll(-1, for: POLLPRI, or: wake, timeoutMilliseconds: 250).wake == 0
  }
}
