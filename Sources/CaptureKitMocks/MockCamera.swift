public import CaptureKitLinux
import Dispatch
public import Imaging
import Synchronization

/// A camera that does not exist: it shows what it is told to, and fails when it is told to.
///
/// ```swift
/// let camera = MockCamera(
///   position: .front, frames: .testPattern(.mjpeg, width: 1280, height: 720))
/// camera.script = [.unplug(afterFrame: 30), .replug(after: .seconds(2))]
/// let backend = MockBackend(cameras: [camera])
/// ```
///
/// All members may be used from any thread.
public final class MockCamera: Sendable {
  /// Names the camera.
  public let uniqueID: String
  /// The camera's name for people.
  public let name: String
  /// The side of the machine that it looks from.
  public let position: CaptureDevice.Position
  /// Built in or external.
  public let deviceType: CaptureDevice.DeviceType
  /// Degrees clockwise by which its pictures must be turned to be upright: 0, 90, 180 or 270.
  public let mountingAngle: Int
  /// The formats that it offers.
  public let formats: [CaptureDevice.Format]

  let supply: FrameSupply
  let state: Mutex<MockCameraState>

  /// Makes a camera; it is plugged in.
  ///
  /// - Parameters:
  ///   - uniqueID: Names the camera; nil for `mock`, `mock-2` and so on, in order of making.
  ///   - name: The camera's name for people.
  ///   - position: The side of the machine that it looks from.
  ///   - deviceType: Built in or external; nil for external where the position is unspecified, and
  ///     for built in where it is known.
  ///   - mountingAngle: Degrees clockwise by which its pictures must be turned to be upright: 0, 90,
  ///     180 or 270.
  ///   - frames: What it shows.
  ///   - formats: What it offers; nil for what its frames come in. The test pattern and a closure
  ///     adapt to what is asked for, JPEG files do not.
  public init(
    uniqueID: String? = nil, name: String = "Simulated Camera",
    position: CaptureDevice.Position = .unspecified, deviceType: CaptureDevice.DeviceType? = nil,
    mountingAngle: Int = 0,
    frames: MockFrames = .testPattern(.mjpeg, width: 1280, height: 720),
    formats: [CaptureDevice.Format]? = nil
  ) {
    self.uniqueID = uniqueID ?? Self.makeID()
    self.name = name
    self.position = position
    self.deviceType =
      deviceType ?? (position == .unspecified ? .external : .builtInWideAngleCamera)
    self.mountingAngle = mountingAngle
    supply = FrameSupply(frames)
    self.formats = formats ?? supply.formats
    state = Mutex(MockCameraState(name: name, formats: self.formats))
  }

  private static let madeCount = Atomic<Int>(0)

  private static func makeID() -> String {
    let number = madeCount.add(1, ordering: .relaxed).newValue
    return number == 1 ? "mock" : "mock-\(number)"
  }
}

// MARK: - What a test does to it

extension MockCamera {
  /// What goes wrong; setting it starts it anew, also in streams that run.
  public var script: [MockEvent] {
    get { state.withLock { $0.script.events } }
    set { wake(after: state.withLock { $0.setScript(newValue) }) }
  }

  /// How long exposure and white balance need after a start, as the camera says; zero at first. Its
  /// pictures do not change meanwhile: see ``MockEvent/blackFrames(first:)``.
  public var settlingTime: Duration {
    get { state.withLock { $0.settlingTime } }
    set { state.withLock { $0.settlingTime = newValue } }
  }

  /// What the stamps of its frames mark; the start of the exposure at first, as with USB cameras.
  public var timestampReference: FrameTimestamp.Reference {
    get { state.withLock { $0.timestampReference } }
    set { state.withLock { $0.timestampReference = newValue } }
  }

  /// The link that it shares with other cameras; nil, and no limit, until it is set.
  public var bus: MockBus? {
    get { state.withLock { $0.bus } }
    set { state.withLock { $0.bus = newValue } }
  }

  /// Unplugs the camera now, until ``replug()``.
  public func unplug() {
    wake(after: state.withLock { $0.unplug(until: nil) })
  }

  /// Plugs the camera in again; streams that were open stay disconnected.
  public func replug() {
    wake(after: state.withLock { $0.replug() })
  }

  /// Wakes the streams that have to hear of a change, and tells those who watch.
  func wake(after sleepers: [DispatchSemaphore]) {
    for sleeper in sleepers { sleeper.signal() }
    let (watchers, comesBack) = state.withLock { ($0.watchers.values.map(\.self), $0.comesBack) }
    for watcher in watchers { watcher(comesBack) }
  }
}

// MARK: - What a test reads from it

extension MockCamera {
  /// What was done with a camera since it was made.
  public struct Counters: Hashable, Sendable {
    /// Streams that were opened.
    public internal(set) var opened: Int = 0
    /// Opened streams that were let go.
    public internal(set) var closed: Int = 0
    /// Starts of a stream.
    public internal(set) var started: Int = 0
    /// Ends of a started stream.
    public internal(set) var stopped: Int = 0
    /// Frames that were handed out, damaged ones included.
    public internal(set) var framesHandedOut: Int = 0
    /// Frames that were lost before they could be handed out: by script, or since nobody picked them up.
    public internal(set) var framesLost: Int = 0
  }

  /// What was done with the camera since it was made.
  public var counters: Counters { state.withLock { $0.counters } }

  /// What discovery is told; nil where the camera is not plugged in.
  func description(at now: HostTime) -> CaptureDeviceDescription? {
    var description = CaptureDeviceDescription(
      uniqueID: uniqueID, localizedName: name, formats: formats)
    description.manufacturer = "CaptureKitMocks"
    description.modelID = "mock"
    description.deviceType = deviceType
    description.position = position
    description.mountingAngle = mountingAngle
    return state.withLock { state in
      guard state.isPresent(at: now) else { return nil }
      description.connectionID = state.connectionID
      description.authorization = state.script.isForbidden ? .denied : .authorized
      description.settlingTime = state.settlingTime
      return description
    }
  }
}
