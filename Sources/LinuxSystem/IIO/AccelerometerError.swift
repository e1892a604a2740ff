/// Why an accelerometer could not be read.
package struct AccelerometerError: Error, Hashable, Sendable {
  /// The kernel's number, where a system call failed.
  package let errno: Errno?
  private let sentence: String

  /// Whether the sensor may well answer the next time.
  package var isTransient: Bool { errno == .busy || errno == .again }

  static func unreadable(_ path: String, _ errno: Errno) -> AccelerometerError {
    let advice =
      switch errno {
      case .busy:
        "another program takes all of its readings; close it, or stop iio-sensor-proxy"
      case .accessDenied, .notPermitted: "check who may read it"
      case .noEntry, .noDevice: "the sensor or its driver has gone"
      default: "look at the kernel's messages of its driver"
      }
    return AccelerometerError(errno: errno, sentence: "\(path): \(errno); \(advice).")
  }

  static func garbage(_ path: String, _ text: String, wanted: String) -> AccelerometerError {
    AccelerometerError(
      errno: nil,
      sentence:
        "\(path) says “\(text.prefix(80))”, which is no \(wanted): report it to the driver's"
        + " makers, or set it right in udev's hardware database.")
  }
}

// MARK: - CustomStringConvertible

extension AccelerometerError: CustomStringConvertible {
  /// What happened to which file and what to do about it, ready to be shown.
  package var description: String { sentence }
}
