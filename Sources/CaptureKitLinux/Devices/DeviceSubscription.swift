/// One reader's share of the watch: the machine is watched while it lives.
final class DeviceSubscription: Sendable {
  let ticks: AsyncStream<Void>
  private let environment: CaptureEnvironment
  private let reader: Int

  init(to environment: CaptureEnvironment) {
    self.environment = environment
    (reader, ticks) = environment.registry.addReader()
    environment.watches.retain(for: environment)
  }

  deinit {
    environment.registry.removeReader(reader)
    environment.watches.release()
  }

  func take() -> CaptureDeviceChange? { environment.registry.takeChange(for: reader) }
}
