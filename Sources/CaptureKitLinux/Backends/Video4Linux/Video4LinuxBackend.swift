import Imaging
package import LinuxSystem
import Video4Linux

/// The cameras of the Linux kernel: everything that Video4Linux drives.
///
/// It lists each node that gives pictures, judged by what the driver says of the node itself
/// (`device_caps`), never by its number. A node that may not be opened is listed as denied.
public struct Video4LinuxBackend: CaptureBackend {
  /// How long webcams need to find exposure and white balance after a start.
  static let settlingTime = Duration.milliseconds(1500)

  private let kernel: any Kernel
  private let roots: DeviceRoots

  /// Looks for cameras under `/dev` and `/sys`.
  public init() {
    self.init(kernel: LinuxKernel(), roots: DeviceRoots())
  }

  package init(kernel: any Kernel, roots: DeviceRoots) {
    self.kernel = kernel
    self.roots = roots
  }

  private var scanner: NodeScanner { NodeScanner(kernel: kernel, roots: roots) }

  /// Lists the cameras that are there now.
  ///
  /// - Returns: One description for each camera, by node number; their formats are asked for later.
  /// - Throws: A ``CaptureError`` where nodes cannot be looked at for a reason of this process:
  ///   `outOfResources`.
  public func devices() throws -> [CaptureDeviceDescription] {
    try translatingErrors { () throws(VideoNodeError) in
      try scanner.cameras().map(CaptureDeviceDescription.init)
    }
  }

  /// Describes the camera behind a node's path, listed or not.
  ///
  /// - Parameter path: A path that begins with `/`.
  /// - Returns: nil for what is no absolute path.
  /// - Throws: A ``CaptureError``: `noDevice`, `notACamera`, `notPermitted`, `inUse`.
  public func device(atPath path: String) throws -> CaptureDeviceDescription? {
    guard path.hasPrefix("/") else { return nil }
    return try translatingErrors { () throws(VideoNodeError) in
      CaptureDeviceDescription(try scanner.camera(at: path))
    }
  }

  /// Says why a camera may not be opened: the group to join, or what the sandbox has to let in;
  /// with no camera, whether the kernel has one that this program cannot see.
  public func authorizationFailure(of device: CaptureDeviceDescription?) -> CaptureError? {
    guard let device else { return scanner.obstacle().map { CaptureError($0) } }
    do throws(CaptureError) {
      try withNode(of: device) { _ in }
      return nil
    } catch {
      return error.code == .notPermitted ? error : nil
    }
  }

  /// Says when nodes come, go, or are allowed; where the system has no inotify(7) left, the folder
  /// of nodes is read every two seconds.
  public func changes() -> AsyncStream<CaptureBackendEvent> {
    let (kernel, roots) = (kernel, roots)
    return AsyncStream(bufferingPolicy: .bufferingNewest(4)) { continuation in
      do throws(Errno) {
        let watch = try NodeWatch(kernel: kernel, roots: roots) { event in
          continuation.yield(CaptureBackendEvent(event, folder: roots.dev))
        }
        continuation.onTermination = { _ in watch.stop() }
      } catch {
        continuation.yield(CaptureBackendEvent(.isDelayed(error), folder: roots.dev))
        continuation.finish()
      }
    }
  }

  /// Lists the formats of a camera.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The formats in the driver's order; a size range is kept as one.
  /// - Throws: A ``CaptureError``: `disconnected`, also where another camera has the node by now,
  ///   `notPermitted`.
  public func formats(of device: CaptureDeviceDescription) throws -> [CaptureDevice.Format] {
    try withNode(of: device) { (node) throws(VideoNodeError) in try node.captureFormats() }
  }

  /// Opens a camera.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The opened camera, not started.
  /// - Throws: A ``CaptureError``: `disconnected` where another camera has the node by now,
  ///   `notPermitted`, `inUse`.
  public func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    try withNode(of: device) { (node) throws(VideoNodeError) in
      Video4LinuxStream(try VideoStream(node: node))
    }
  }

  /// Gives access to a camera's controls, over a descriptor of its own: that the camera streams,
  /// here or in another program, does not matter.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: The access, until it is let go of.
  /// - Throws: A ``CaptureError``: `disconnected` where another camera has the node by now,
  ///   `notPermitted`, `inUse` where the driver lets only one program open the camera.
  public func controls(of device: CaptureDeviceDescription) throws -> any CaptureControlAccess {
    try withNode(of: device) { (node) throws(VideoNodeError) in
      Video4LinuxControls(node) {
        try withNode(of: device) { (node) throws(VideoNodeError) in node }
      }
    }
  }

  /// Resets the USB device that a camera is, by its node below `/dev/bus/usb`.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Throws: A ``CaptureError``: `disconnected` where another camera has the node by now,
  ///   `notPermitted` with the right that is missing, `streamFailed` where it is no USB camera or
  ///   does not come back.
  public func reset(_ device: CaptureDeviceDescription) throws {
    try translatingErrors { () throws(VideoNodeError) in
      try scanner.resetUSBDevice(
        ofNodeAt: device.nodePath ?? device.uniqueID, of: device.uniqueID)
    }
  }

  /// Says what the USB link that a camera shares with others carries now, as sysfs knows it: cameras
  /// of other programs, and sound, are among the holders.
  ///
  /// - Parameter device: A description that came from this backend.
  /// - Returns: nil where the camera is no USB one, sends in bulk, or shares no link for certain.
  public func busLoad(of device: CaptureDeviceDescription) -> CaptureBusLoad? {
    scanner.usbLink(ofNodeAt: device.nodePath ?? device.uniqueID).map { link in
      CaptureBusLoad(
        name: link.name, bandwidth: link.bytesPerSecond,
        holders: link.holders.map {
          CaptureBusLoad.Holder(name: $0.name, bandwidth: $0.bytesPerSecond)
        }, choices: link.choices)
    }
  }

  /// Runs a call with the node of a camera that was there; what is not there now was unplugged.
  private func withNode<Value>(
    of device: CaptureDeviceDescription, _ body: (VideoNode) throws(VideoNodeError) -> Value
  ) throws(CaptureError) -> Value {
    do {
      return try body(
        try scanner.open(device.nodePath ?? device.uniqueID, of: device.uniqueID))
    } catch {
      throw CaptureError(error, code: error.code == .noDevice ? .disconnected : nil)
    }
  }
}

/// Runs a call of the lower room; its errors become this room's.
func translatingErrors<Value>(
  _ body: () throws(VideoNodeError) -> Value
) throws(CaptureError) -> Value {
  do {
    return try body()
  } catch {
    throw CaptureError(error)
  }
}

extension CaptureError {
  init(_ error: VideoNodeError, code: Code? = nil) {
    let translated: Code =
      switch error.code {
      case .noDevice: .noDevice
      case .inUse: .inUse
      case .notPermitted: .notPermitted
      case .notACamera: .notACamera
      case .disconnected: .disconnected
      case .noSignal: .noSignal
      case .privacyShutter: .privacyShutter
      case .usbBandwidth: .usbBandwidth
      case .unsupportedFormat: .unsupportedFormat
      case .tooManyOpenFiles, .outOfMemory: .outOfResources
      case .unsupportedControl: .unsupportedControl
      case .invalidControlValue: .invalidControlValue
      case .controlNotWritable: .controlNotWritable
      case .controlFailed: .controlFailed
      default: .streamFailed
      }
    self.init(code ?? translated, error.description, errno: error.errno?.rawValue)
  }
}
