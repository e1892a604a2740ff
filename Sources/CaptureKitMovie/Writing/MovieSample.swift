import CaptureKitLinux
import Imaging

/// One coded frame on its way into a movie.
struct MovieSample: Sendable {
  var bytes: SharedBytes
  let time: HostTime
  /// Whether it can be decoded without others.
  let isKey: Bool

  /// The same with bytes of its own.
  var detached: MovieSample {
    MovieSample(bytes: bytes.detached, time: time, isKey: isKey)
  }
}
