public import Observation
import Synchronization

extension CaptureDevice {
  /// A list of cameras by wish, as Apple's `AVCaptureDevice.DiscoverySession`.
  ///
  /// The list is live, and observable by `withObservationTracking`. A session that lives for more
  /// than a moment has the machine watched until it is let go of; one that is only made to be read
  /// costs one look.
  public final class DiscoverySession: Sendable {
    /// How long a session has to live until the machine is watched on its behalf.
    static let delay = Duration.milliseconds(250)

    private let environment: CaptureEnvironment
    private let wish: DeviceWish?
    private let registrar = ObservationRegistrar()
    private let beginning = Mutex<ScheduledWork?>(nil)
    private let watching = Mutex<Task<Void, Never>?>(nil)

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
      environment = .current
      guard mediaType ?? .video == .video else {
        wish = nil
        return
      }
      wish = DeviceWish(types: deviceTypes, position: position, matching: matching)
      _ = environment.devicesNow()
      let (clock, delay) = (environment.clock, Self.delay)
      // What changes until then is found by the first look.
      let work = clock.schedule(at: clock.now.advanced(by: delay)) { [weak self] in self?.watch() }
      beginning.withLock { $0 = work }
    }

    deinit {
      beginning.withLock { $0 }?.cancel()
      watching.withLock { $0 }?.cancel()
    }

    /// The cameras that match now, those that match to the letter first.
    public var devices: [CaptureDevice] {
      registrar.access(self, keyPath: \.devices)
      return wish?.choose(from: environment.knownDevices, by: \.mounted) ?? []
    }

    private func watch() {
      let changes = environment.deviceChanges
      let task = Task { [weak self] in
        for await _ in changes {
          guard let self else { return }
          registrar.withMutation(of: self, keyPath: \.devices) {}
        }
      }
      watching.withLock { $0 = task }
    }
  }
}

// MARK: - Observable

extension CaptureDevice.DiscoverySession: Observable {}
