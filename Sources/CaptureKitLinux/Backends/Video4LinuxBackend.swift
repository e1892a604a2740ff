public struct Video4LinuxBackend: CaptureBackend {
  public init() {}
  public func devices() throws -> [CaptureDeviceDescription] { [] }
  public func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    throw CaptureError.noDevice
  }
}
