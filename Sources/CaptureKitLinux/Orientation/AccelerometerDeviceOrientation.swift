package import Dispatch
package import LinuxSystem
import Synchronization

/// How the device is held as its accelerometer feels it: tablets, phones and folding laptops.
///
/// ```swift
/// let sensor = try AccelerometerDeviceOrientation()
/// for await orientation in sensor.orientations { print(orientation) }
/// ```
///
/// It reads the sensor of the kernel's Industrial I/O (`/sys/bus/iio/devices`), the one in the
/// display where there are several, and turns its axes by the mount matrix that udev or the kernel
/// has for it. Nothing runs while nobody observes it: ``orientation`` then reads once when it is
/// asked.
///
/// A turn is told once the device is well past the border between two positions. Lying within 25
/// degrees of flat is `faceUp` or `faceDown`. Where the sensor cannot be read it is `unknown`,
/// ``lastError`` says why, and it is read again at the next interval.
public final class AccelerometerDeviceOrientation: DeviceOrientationSource {
  private struct State {
    var classifier = OrientationClassifier()
    var readAt: HostTime?
    var isPolling = false
    var lastError: CaptureError?

    var orientation: DeviceOrientation { lastError == nil ? classifier.orientation : .unknown }
  }

  /// The sensor's chip or driver, `bmc150_accel`; empty where unknown.
  public var name: String { sensor.name }
  /// How often the sensor is read while somebody observes it; at least 50 milliseconds.
  public let interval: Duration

  private let sensor: Accelerometer
  private let clock: any CaptureClock
  private let state = Mutex(State())
  private let current = ObservableValue(DeviceOrientation.unknown)
  /// The sensor is read and observers are told here: a slow bus holds nobody else up.
  private let queue: DispatchQueue

  /// Finds the machine's accelerometer and reads it once.
  ///
  /// - Parameter interval: How often to read it while somebody observes it; what is shorter than 50
  ///   milliseconds counts as that.
  /// - Throws: ``CaptureError`` with the code `noSensor` where the machine has none, or none that
  ///   can be read; the sentence says which file is to blame.
  public convenience init(interval: Duration = .milliseconds(200)) throws {
    try self.init(
      roots: DeviceRoots(), interval: interval, clock: CaptureEnvironment.current.clock)
  }

  package init(
    roots: DeviceRoots, interval: Duration, clock: any CaptureClock,
    queue: DispatchQueue = DispatchQueue(label: "CaptureKitLinux.accelerometer")
  ) throws {
    guard let sensor = Accelerometer.ofDisplay(in: roots).first else {
      throw CaptureError(
        .noSensor,
        "This machine has no accelerometer that says how its display is held:"
          + " use ManualDeviceOrientation, or none.")
    }
    self.sensor = sensor
    self.interval = max(.milliseconds(50), interval)
    self.clock = clock
    self.queue = queue
    if let error = read(), !error.isTransient { throw CaptureError(error) }
  }

  /// How the device is held now; reads the sensor where the last reading is older than
  /// ``interval``.
  public var orientation: DeviceOrientation {
    let now = clock.now
    let isFresh = state.withLock { state in
      state.readAt.map { $0.duration(to: now) < interval } ?? false
    }
    if !isFresh { read() }
    return state.withLock { $0.orientation }
  }

  /// Why the sensor could not be read the last time; nil where it could.
  public var lastError: CaptureError? { state.withLock { $0.lastError } }

  /// Tells a handler how the device is held, and then each change; the sensor is read meanwhile.
  ///
  /// - Parameter handler: Called on this thread for the first time, unless another is telling
  ///   observers just then, and from then on on a queue of the source's.
  /// - Returns: The observation, which ends when it is invalidated or released. It keeps the
  ///   source.
  public func observe(
    _ handler: @escaping @Sendable (DeviceOrientation) -> Void
  ) -> CaptureObservation {
    let orientation = orientation
    current.change { $0 = orientation }
    let observation = current.observe(handler)
    startPolling()
    return CaptureObservation {
      withExtendedLifetime(self) { observation.invalidate() }
    }
  }
}

// MARK: - Reading

extension AccelerometerDeviceOrientation {
  /// Takes a reading in, or why there is none.
  ///
  /// - Returns: Why there is none.
  @discardableResult
  private func read() -> AccelerometerError? {
    let reading = Result { () throws(AccelerometerError) in try sensor.reading() }
    let now = clock.now
    return state.withLock { state in
      state.readAt = now
      switch reading {
      case .success(let reading):
        state.classifier.take(reading)
        state.lastError = nil
        return nil
      case .failure(let error):
        state.lastError = CaptureError(error)
        return error
      }
    }
  }

  private func startPolling() {
    let isPolled = state.withLock { state in
      defer { state.isPolling = true }
      return state.isPolling
    }
    if !isPolled { scheduleNextReading() }
  }

  private func scheduleNextReading() {
    _ = clock.schedule(at: clock.now.advanced(by: interval)) { [weak self] in
      guard let self else { return }
      queue.async { self.poll() }
    }
  }

  private func poll() {
    guard current.isObserved else {
      state.withLock { $0.isPolling = false }
      // Who began to observe just before that has seen it polled.
      if current.isObserved { startPolling() }
      return
    }
    read()
    let orientation = state.withLock { $0.orientation }
    current.change { $0 = orientation }
    scheduleNextReading()
  }
}

extension CaptureError {
  fileprivate init(_ error: AccelerometerError) {
    self.init(.noSensor, "\(error)", errno: error.errno?.rawValue)
  }
}
