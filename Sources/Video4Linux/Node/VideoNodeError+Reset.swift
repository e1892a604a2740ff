import LinuxSystem

extension VideoNodeError {
  static func noUSBDevice(_ path: String) -> VideoNodeError {
    VideoNodeError(
      .resetFailed, path,
      "The camera at \(path) is at no USB port that can be reset: restart the machine, or "
        + "load the camera's driver anew.")
  }

  /// What an error number means for somebody who wanted to reset a USB device.
  static func resetFailed(_ path: String, _ errno: Errno) -> VideoNodeError {
    switch errno {
    case .accessDenied, .notPermitted:
      VideoNodeError(
        .notPermitted, path,
        "This user may not reset the camera's USB device, \(path): let a udev rule give the right to write to "
          + "it (SUBSYSTEM==\"usb\", TAG+=\"uaccess\"), or plug the camera in anew.", errno: errno)
    case .noEntry:
      VideoNodeError(
        .resetFailed, path,
        "There is no \(path) to reset the camera by: mount /dev/bus/usb where the program runs, or plug the "
          + "camera in anew.", errno: errno)
    default:
      VideoNodeError(
        .resetFailed, path,
        "The camera's USB device, \(path), did not come back from a reset (\(errno)): plug it in anew.",
        errno: errno)
    }
  }
}
