import Glibc
import LinuxSystem

extension VideoNode {
  /// What an error number means for somebody who read or set a control.
  func controlFailure(_ errno: Errno, _ name: String) -> VideoNodeError {
    let control = name.isEmpty ? "A control of \(path)" : "“\(name)” of \(path)"
    switch errno.rawValue {
    case ENODEV, ENXIO:
      return .disconnected(path, errno)
    case ENOTTY:
      return VideoNodeError(
        .unsupportedControl, path, "\(control) is not known to the driver.", errno: errno)
    case EACCES, EPERM:
      return VideoNodeError(
        .controlNotWritable, path,
        "\(control) cannot be set now: it is read-only, or an automatic control governs it; "
          + "switch that off first.", errno: errno)
    case EBUSY:
      return VideoNodeError(
        .controlNotWritable, path,
        "\(control) is held at the moment: stop the stream, or wait, and set it again.",
        errno: errno)
    case ERANGE, EINVAL, EILSEQ, ENOSPC:
      return VideoNodeError(
        .invalidControlValue, path,
        "\(control) does not take this value now: look at its range and its menu, and whether an "
          + "automatic control governs it.", errno: errno)
    default:
      return VideoNodeError(
        .controlFailed, path,
        "\(control) failed (\(errno)): the camera's firmware does not answer for it; others still "
          + "work.", errno: errno)
    }
  }
}

extension VideoNode {
  /// The device lacks a control.
  package func noControl(_ identifier: UInt32) -> VideoNodeError {
    VideoNodeError(
      .unsupportedControl, path,
      "\(path) has no control 0x\(String(identifier, radix: 16)): look at the list of its controls."
    )
  }
}
