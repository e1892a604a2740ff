public import CaptureKitLinux

/// A source of cameras that do not exist, for tests and demonstrations.
///
/// ```swift
/// let camera = MockCamera(
///   position: .front, frames: .testPattern(.mjpeg, width: 1280, height: 720))
/// try await CaptureEnvironment(backends: [MockBackend(cameras: [camera])]).run {
///   try await theCodeUnderTest()  // it asks for .default(for: .video) as always
/// }
/// ```
///
/// In real time a camera keeps up to four frames that nobody picks up, as a driver does; what comes then is
/// lost, and leaves a gap in the sequence numbers. With a clock of yours no frame is lost.
public final class MockBackend: CaptureBackend {
  /// The cameras, plugged in or not.
  public let cameras: [MockCamera]
  private let pace: MockPace

  /// A source of cameras that run in real time.
  ///
  /// - Parameter cameras: The cameras, in the order in which they are listed.
  public init(cameras: [MockCamera]) {
    self.cameras = cameras
    pace = .realTime
  }

  /// A source of cameras that run on a clock of yours.
  ///
  /// - Parameters:
  ///   - cameras: The cameras, in the order in which they are listed.
  ///   - clock: What paces and stamps their frames: a ``ManualClock`` for tests.
  public init(cameras: [MockCamera], clock: any CaptureClock) {
    self.cameras = cameras
    pace = .clock(clock)
  }

  /// Lists the cameras that are plugged in.
  public func devices() async -> [CaptureDeviceDescription] {
    let now = pace.now
    return cameras.compactMap { $0.description(at: now) }
  }

  /// Opens a camera.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The opened camera, not started.
  /// - Throws: A `CaptureError`: `disconnected` for a camera that is not plugged in, and
  ///   what the camera's script says.
  public func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    guard let camera = cameras.first(where: { $0.uniqueID == device.uniqueID }) else {
      throw CaptureError(.disconnected)
    }
    return try MockStream(camera: camera, pace: pace)
  }

  /// Gives access to a camera's controls, whether it streams or not.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The access, until it is let go of.
  /// - Throws: A `CaptureError`: `disconnected` for a camera that is not plugged in, and `notPermitted`
  ///   where the camera's script says so.
  public func controls(of device: CaptureDeviceDescription) throws -> any CaptureControlAccess {
    guard let camera = cameras.first(where: { $0.uniqueID == device.uniqueID }) else {
      throw CaptureError(.disconnected)
    }
    return try MockControlAccess(camera: camera, now: pace.now)
  }

  /// Says what the bus of a camera carries now; nil where it has none.
  public func busLoad(of device: CaptureDeviceDescription) -> CaptureBusLoad? {
    cameras.first { $0.uniqueID == device.uniqueID }.flatMap { camera in
      camera.bus?.load(for: camera)
    }
  }

  /// Describes the camera that has this `uniqueID`: simulated cameras have no other path.
  ///
  /// - Parameter path: A camera's `uniqueID`.
  /// - Returns: nil where no camera has it.
  /// - Throws: A `CaptureError`, `noDevice`, where the camera is not plugged in.
  public func device(atPath path: String) throws -> CaptureDeviceDescription? {
    guard let camera = cameras.first(where: { $0.uniqueID == path }) else { return nil }
    guard let description = camera.description(at: pace.now) else {
      throw CaptureError(.noDevice, "\(camera.name) is not plugged in: plug it in.")
    }
    return description
  }

  /// Says when a camera is unplugged, plugged in again, or given another script.
  public func changes() -> AsyncStream<CaptureBackendEvent> {
    let pace = pace
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watches = cameras.map { camera in
        camera.watch { comesBack in
          continuation.yield(.devicesMayHaveChanged)
          guard let comesBack else { return }
          pace.run(at: comesBack) { continuation.yield(.devicesMayHaveChanged) }
        }
      }
      continuation.onTermination = { _ in for watch in watches { watch.end() } }
    }
  }
}
