import Foundation
import Synchronization

/// Where cameras come from, and which clock capture runs on.
///
/// An app needs none: the default holds the kernel's cameras. Tests and front ends with cameras of
/// their own put another in place, for a piece of code or for the whole process:
///
/// ```swift
/// try await CaptureEnvironment(backends: [MockBackend(cameras: [camera])]).run {
///   try await theCodeUnderTest()       // it asks for .default(for: .video) as always
/// }
/// CaptureEnvironment.default = CaptureEnvironment(backends: [Video4LinuxBackend(), doorbells])
/// ```
///
/// Discovery, permission and lookups read ``current``, which is a task-local value: it reaches
/// child tasks, but neither dispatch queues nor detached tasks. A device remembers its environment.
public final class CaptureEnvironment: Sendable {
  /// The sources of cameras, in the order in which their cameras are listed.
  public let backends: [any CaptureBackend]
  /// The clock by which photos are judged fresh and waits end.
  public let clock: any CaptureClock
  private let userMountings = Mutex<[String: CaptureDevice.Mounting]>([:])
  let registry: DeviceRegistry
  let watches = DeviceWatches()
  private let diagnostics = Mutex<(@Sendable (CaptureDiagnostic) -> Void)?>(nil)

  /// Puts sources together.
  ///
  /// - Parameters:
  ///   - backends: The sources of cameras.
  ///   - clock: The clock; nil for the machine's own.
  public init(backends: [any CaptureBackend], clock: (any CaptureClock)? = nil) {
    self.backends = backends
    self.clock = clock ?? SystemClock()
    registry = DeviceRegistry(backendCount: backends.count)
  }

  /// Is told what goes wrong with the cameras of sessions that have no handler of their own; nil,
  /// and silent, until set.
  ///
  /// Called on a queue of each session's own: several at once where there are several sessions.
  public var diagnosticHandler: (@Sendable (CaptureDiagnostic) -> Void)? {
    get { diagnostics.withLock { $0 } }
    set {
      let old = diagnostics.withLock { handler in
        defer { handler = newValue }
        return handler
      }
      // Let go of after unlocking: what it holds may call the environment as it goes.
      withExtendedLifetime(old) {}
    }
  }

  @TaskLocal private static var ofTask: CaptureEnvironment?
  private static let ofProcess = Mutex(CaptureEnvironment(backends: [Video4LinuxBackend()]))

  /// What discovery reads here: the running task's environment, else ``default``.
  public static var current: CaptureEnvironment { ofTask ?? `default` }

  /// The process's environment; replace it at start, before devices are asked for.
  public static var `default`: CaptureEnvironment {
    get { ofProcess.withLock { $0 } }
    set { ofProcess.withLock { $0 = newValue } }
  }

  /// Runs code that finds this environment's cameras.
  ///
  /// - Parameter operation: The code; child tasks that it starts are included.
  /// - Returns: What the code returns.
  public func run<Value>(_ operation: () async throws -> Value) async rethrows -> Value {
    try await Self.$ofTask.withValue(self, operation: operation)
  }

  /// Runs code that finds this environment's cameras.
  ///
  /// - Parameter operation: The code.
  /// - Returns: What the code returns.
  public func run<Value>(_ operation: () throws -> Value) rethrows -> Value {
    try Self.$ofTask.withValue(self, operation: operation)
  }

  /// How cameras are mounted, as their user says, by ``CaptureDevice/uniqueID``; empty at first.
  ///
  /// It takes effect at once, for photos too. Keep it where your program keeps its settings.
  public var mountings: [String: CaptureDevice.Mounting] {
    get { userMountings.withLock { $0 } }
    set { userMountings.withLock { $0 = newValue } }
  }

  /// Sets what its user says of one camera, whatever others are set meanwhile.
  func setMounting(_ mounting: CaptureDevice.Mounting?, ofCamera id: String) {
    userMountings.withLock { $0[id] = mounting }
  }

  /// What its user says of a camera, whose id may have got or lost its port since.
  func mounting(ofCamera id: String) -> CaptureDevice.Mounting? {
    let mountings = mountings
    guard !mountings.isEmpty else { return nil }
    return mountings[id]
      ?? mountings.keys.sorted().first { CaptureDevice.isSameCamera($0, id) }.flatMap {
        mountings[$0]
      }
  }

  /// Lists the cameras that are there now.
  ///
  /// What has changed since the last look is told to whoever watches.
  ///
  /// - Returns: The cameras in the order of the backends. A camera that was listed before and
  ///   stayed is the same object.
  /// - Throws: The first backend's error, where no backend could list any.
  public func devices() async throws -> [CaptureDevice] {
    var found: [CaptureDevice] = []
    var failure: (any Error)?
    for index in backends.indices {
      do {
        found += try await devices(at: index)
      } catch {
        failure = failure ?? error
      }
    }
    if found.isEmpty, let failure { throw CaptureError.wrapping(failure) }
    return found
  }

  /// Lists one backend's cameras.
  func devices(at index: Int) async throws -> [CaptureDevice] {
    let backend = backends[index]
    let look = registry.beginLook(at: index)
    let found = try await backend.devices()
    return registry.endLook(
      look, at: index, found: found, now: clock.now, make: deviceMaker(for: backend))
  }

  /// The cameras that were there when somebody last looked, or lost one.
  var knownDevices: [CaptureDevice] {
    backends.enumerated().flatMap { index, backend in
      registry.present(at: index, make: deviceMaker(for: backend))
    }
  }

  private func deviceMaker(
    for backend: any CaptureBackend
  ) -> (CaptureDeviceDescription) -> CaptureDevice {
    { CaptureDevice(description: $0, backend: backend, environment: self) }
  }

  /// Finds the camera behind a path, listed or not, and the backend that knows it.
  func device(atPath path: String) throws -> (CaptureDeviceDescription, backend: Int) {
    for (index, backend) in backends.enumerated() {
      if let description = try backend.device(atPath: path) { return (description, index) }
    }
    throw CaptureError(
      .noDevice, "There is no camera at \(path): look at the list of devices for the right path.")
  }
}
