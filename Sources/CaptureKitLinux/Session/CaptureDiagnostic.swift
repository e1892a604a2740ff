/// Something that went wrong with a camera, or was put right, in words for a log.
///
/// Set ``CaptureSession/diagnosticHandler`` or ``CaptureEnvironment/diagnosticHandler`` to get
/// them; without one nothing is said. The library never prints. A fault that repeats is told when
/// it begins, and again when it has been over for some seconds, with how often it happened.
public struct CaptureDiagnostic: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: Int, Hashable, Comparable, Sendable {
    /// Nothing is to be done.
    case info
    /// Pictures were lost.
    case warning
    /// A camera has ended.
    case error

    /// Whether one matters less than another.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// What it is about. New codes may come in any version: keep a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ name: String) { description = name }

    /// The driver marked frames as damaged, or they were too short.
    public static let damagedFrames = Code("damagedFrames")
    /// The driver's count says that frames were lost.
    public static let lostFrames = Code("lostFrames")
    /// The driver delivered frames twice.
    public static let duplicateFrames = Code("duplicateFrames")
    /// The outputs' users keep so many frames that others had to be dropped.
    public static let outOfBuffers = Code("outOfBuffers")
    /// The driver met a passing error and was put right.
    public static let driverError = Code("driverError")
    /// Nothing came for too long.
    public static let stall = Code("stall")
    /// The camera failed; a step of the ladder follows.
    public static let fault = Code("fault")
    /// The camera is interrupted.
    public static let interruption = Code("interruption")
    /// Pictures come again.
    public static let recovered = Code("recovered")
    /// The signal at the input has another form.
    public static let sourceChange = Code("sourceChange")
    /// The USB bus had no room for the usual format, and another is used.
    public static let bandwidthReduced = Code("bandwidthReduced")
    /// The camera has ended.
    public static let failure = Code("failure")
  }

  /// How much it matters.
  public let severity: Severity
  /// What it is about.
  public let code: Code
  /// The camera's ``CaptureDevice/uniqueID``.
  public let deviceID: String
  /// What has happened to which camera, by its name or its node, and what is done about it.
  public let sentence: String
  /// How often it has happened: 1 at the beginning of a fault, its whole number at its end.
  public let count: UInt64
  /// Whether this tells the end of a fault that was told before.
  public let isOver: Bool
  /// The error behind it, where there is one.
  public let error: CaptureError?

  init(
    _ severity: Severity, _ code: Code, of device: CaptureDevice, _ sentence: String,
    count: UInt64 = 1, isOver: Bool = false, error: CaptureError? = nil
  ) {
    self.severity = severity
    self.code = code
    deviceID = device.uniqueID
    self.sentence = sentence
    self.count = count
    self.isOver = isOver
    self.error = error
  }
}

// MARK: - CustomStringConvertible

extension CaptureDiagnostic: CustomStringConvertible {
  /// ``sentence``, with how often it happened where that is more than once.
  public var description: String { count > 1 ? "\(sentence) (\(count) times)" : sentence }
}
