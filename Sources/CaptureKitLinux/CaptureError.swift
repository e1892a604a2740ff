public import Foundation

/// Why a capture call was refused, or a capture ended.
///
/// Catch it by what can be done about it:
///
/// ```swift
/// do {
///   try await session.start()
/// } catch let error as CaptureError where error.code == .inUse {
///   show("Close the other program first. \(error)")
/// }
/// ```
///
/// Where Apple's classes raise an exception, this library throws or delivers one of these.
public struct CaptureError: Error, Hashable, Sendable {
  /// What a user can act on.
  public let code: Code
  /// The kernel's error number, where a system call failed.
  public let errno: Int32?
  private let sentence: String

  /// Makes an error; for backends, outputs and mocks of your own.
  ///
  /// - Parameters:
  ///   - code: What the user can act on.
  ///   - sentence: One sentence that names the device and says what to do; nil for the code's own.
  ///   - errno: The kernel's error number, where a system call failed.
  public init(_ code: Code, _ sentence: String? = nil, errno: Int32? = nil) {
    self.code = code
    self.errno = errno
    self.sentence = sentence ?? code.sentence
  }

  /// There is no camera.
  public static let noDevice = CaptureError(.noDevice)
}

// MARK: - CustomStringConvertible

extension CaptureError: CustomStringConvertible {
  /// One sentence that names the device and says what to do.
  public var description: String { sentence }
}

// MARK: - LocalizedError

extension CaptureError: LocalizedError {
  /// The sentence, which `localizedDescription` shows too.
  public var errorDescription: String? { sentence }
}

// MARK: - Codes

extension CaptureError {
  /// What a user can act on. New codes may come in any version: keep a default.
  public struct Code: Hashable, Sendable {
    private enum Value: String {
      case noDevice, notACamera, inUse, notPermitted, disconnected, noSignal, usbBandwidth
      case unsupportedFormat, outOfResources, streamFailed, timedOut, corruptFrame
      case cannotEncode, cannotWrite
      case cannotAddInput, cannotAddOutput, noConnection, notRunning, notLocked
      case alreadyConfiguring, settingsReused, tooManyPhotos, stopped
      case unsupportedValue, noSensor
      case unsupportedControl, invalidControlValue, controlNotWritable, controlFailed
      case unsupportedSettings, cannotRotate
      case privacyShutter, sourceChanged, backendFailed
    }
    private let value: Value
    private init(_ value: Value) { self.value = value }

    /// There is no camera, or not the one asked for: plug one in.
    public static let noDevice = Code(.noDevice)
    /// The path names something that is no camera.
    public static let notACamera = Code(.notACamera)
    /// Another program, or another session of this one, uses the camera: close it there.
    public static let inUse = Code(.inUse)
    /// The system does not let this user open the camera: join the group that the sentence names.
    public static let notPermitted = Code(.notPermitted)
    /// The camera was unplugged.
    public static let disconnected = Code(.disconnected)
    /// The input carries no picture: look at the cable.
    public static let noSignal = Code(.noSignal)
    /// The USB bus has no room for another stream: use MJPEG, a smaller size, or another port.
    public static let usbBandwidth = Code(.usbBandwidth)
    /// The camera, or this library, has no such format.
    public static let unsupportedFormat = Code(.unsupportedFormat)
    /// This process or the system has no files, threads or memory left for the camera: close
    /// something, or choose a smaller size.
    public static let outOfResources = Code(.outOfResources)
    /// The driver ended the stream.
    public static let streamFailed = Code(.streamFailed)
    /// Nothing came before the deadline.
    public static let timedOut = Code(.timedOut)
    /// The camera sent only damaged pictures.
    public static let corruptFrame = Code(.corruptFrame)
    /// The picture could not be encoded.
    public static let cannotEncode = Code(.cannotEncode)
    /// The file could not be written.
    public static let cannotWrite = Code(.cannotWrite)
    /// The session does not take this input.
    public static let cannotAddInput = Code(.cannotAddInput)
    /// The session does not take this output.
    public static let cannotAddOutput = Code(.cannotAddOutput)
    /// The output has no connection that is enabled and active.
    public static let noConnection = Code(.noConnection)
    /// The session is not running.
    public static let notRunning = Code(.notRunning)
    /// The device must be locked for configuration first.
    public static let notLocked = Code(.notLocked)
    /// A configuration is open: commit it first.
    public static let alreadyConfiguring = Code(.alreadyConfiguring)
    /// Photo settings serve one photo: make new ones.
    public static let settingsReused = Code(.settingsReused)
    /// Too many photos are under way: wait for some of them.
    public static let tooManyPhotos = Code(.tooManyPhotos)
    /// The session was stopped before the photo was there.
    public static let stopped = Code(.stopped)
    /// A value that is not supported; the sentence names those that are.
    public static let unsupportedValue = Code(.unsupportedValue)
    /// The machine has no such sensor, or it cannot be read.
    public static let noSensor = Code(.noSensor)
    /// The camera's shutter is closed, or its switch is off: open it.
    public static let privacyShutter = Code(.privacyShutter)
    /// The signal at the camera's input has another form now; sessions start the stream anew by
    /// themselves.
    public static let sourceChanged = Code(.sourceChanged)
    /// A capture backend failed in a way of its own; the sentence is its own.
    public static let backendFailed = Code(.backendFailed)
    /// The camera has no such control, or cannot do what was asked of it.
    public static let unsupportedControl = Code(.unsupportedControl)
    /// The control does not have this value: look at its range or its menu.
    public static let invalidControlValue = Code(.invalidControlValue)
    /// The control cannot be set, or not now: it is read-only, or something else governs it.
    public static let controlNotWritable = Code(.controlNotWritable)
    /// The camera did not answer for this control; the others are not affected.
    public static let controlFailed = Code(.controlFailed)
    /// The output does not allow what the photo settings ask for, or the camera has no such thing.
    public static let unsupportedSettings = Code(.unsupportedSettings)
    /// The picture's size does not allow it to be turned without loss: allow trimming or encoding
    /// anew.
    public static let cannotRotate = Code(.cannotRotate)
  }
}

extension CaptureError.Code: CustomStringConvertible {
  /// The code's name.
  public var description: String { value.rawValue }

  fileprivate var sentence: String {
    switch value {
    case .noDevice: "No camera was found: plug one in."
    case .notACamera: "This is no camera."
    case .inUse: "The camera is in use: close it in the other program."
    case .notPermitted: "This user may not open the camera."
    case .disconnected: "The camera was unplugged."
    case .noSignal: "The camera's input carries no picture: look at the cable."
    case .usbBandwidth: "The USB bus has no room for this stream: use MJPEG or a smaller size."
    case .unsupportedFormat: "The camera has no such format."
    case .outOfResources:
      "There are no files, threads or memory left for the camera: close something."
    case .streamFailed: "The camera's driver ended the stream."
    case .timedOut: "The camera sent no picture in time."
    case .corruptFrame: "The camera sent only damaged pictures."
    case .cannotEncode: "The picture could not be encoded."
    case .cannotWrite: "The file could not be written."
    case .cannotAddInput: "The session does not take this input."
    case .cannotAddOutput: "The session does not take this output."
    case .noConnection:
      "The output has no video connection that is enabled: add it and a camera to a session."
    case .notRunning: "The session is not running: start it first."
    case .notLocked: "Call lockForConfiguration() before changing the device."
    case .alreadyConfiguring: "A configuration is open: call commitConfiguration() first."
    case .settingsReused: "Photo settings serve one photo: make new ones for the next."
    case .tooManyPhotos: "Too many photos are under way: wait for some of them."
    case .stopped: "The session was stopped before the photo was taken."
    case .unsupportedValue: "This value is not supported."
    case .noSensor: "This machine has no such sensor."
    case .privacyShutter: "The camera's shutter is closed: open it."
    case .sourceChanged: "The signal at the camera's input has changed: start the stream again."
    case .backendFailed: "The capture backend failed."
    case .unsupportedControl: "The camera has no such control."
    case .invalidControlValue: "The control does not have this value."
    case .controlNotWritable: "The control cannot be set now."
    case .controlFailed: "The camera did not answer for this control."
    case .unsupportedSettings: "The photo output does not allow these settings."
    case .cannotRotate: "The picture's size does not allow it to be turned without loss."
    }
  }
}
