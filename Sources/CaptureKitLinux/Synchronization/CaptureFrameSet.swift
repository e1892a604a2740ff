/// Frames that several cameras took at one time; Apple's `AVCaptureSynchronizedDataCollection`.
///
/// ```swift
/// if let left = set[leftCamera], let right = set[rightCamera] { … }
/// ```
///
/// A value, as its frames are: keep it no longer than you need it.
public struct CaptureFrameSet: Sendable {
  /// One camera's frame; Apple's `AVCaptureSynchronizedSampleBufferData`.
  public struct Member: Sendable {
    /// The frame, in the format of its output's settings.
    public let frame: CapturedFrame
    /// The way it came.
    public let connection: CaptureConnection
    /// The camera that took it.
    public let device: CaptureDevice
  }

  /// The frames with their cameras, in the order of the synchronizer's outputs and their cameras;
  /// never none.
  public let members: [Member]
  /// The moment that the set is of: when its first camera's frame was taken.
  public let presentationTime: HostTime
  /// Cameras that have no frame in the set: unplugged, stalled, or with none near enough.
  public let missing: [CaptureDevice]

  init(_ set: ReceivedSet) {
    members = set.members.map { member in
      let connection = member.received.source
      return Member(
        frame: member.received.frame, connection: connection, device: connection.input.device)
    }
    presentationTime = set.presentationTime
    missing = set.missing.map(\.input.device).reduce(into: []) { devices, device in
      if !devices.contains(device) { devices.append(device) }
    }
  }

  /// The frames, in the order of ``members``.
  public var frames: [CapturedFrame] { members.map(\.frame) }
  /// How many frames there are.
  public var count: Int { members.count }
  /// Whether each camera has a frame in the set.
  public var isComplete: Bool { missing.isEmpty }

  /// A camera's frame; nil where it has none in the set.
  ///
  /// A camera that was plugged in again is found by its old object, too.
  public subscript(device: CaptureDevice) -> CapturedFrame? {
    let member =
      members.first { $0.device === device }
      ?? members.first { $0.device.uniqueID == device.uniqueID }
    return member?.frame
  }

  /// The frame that came over a connection; nil where none did.
  public subscript(connection: CaptureConnection) -> CapturedFrame? {
    members.first { $0.connection === connection }?.frame
  }
}
