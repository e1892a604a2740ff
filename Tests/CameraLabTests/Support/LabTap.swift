import CaptureKitLinux
import Foundation
import Imaging
import Synchronization

/// An output that keeps copies of the last frames, so that a photo can be held against its frame.
final class LabTap: CaptureOutput {
  /// A frame's bytes, out of the driver's buffer.
  struct Copy: Sendable {
    var timestamp: FrameTimestamp
    var pixelFormat: PixelFormat
    var width: Int
    var bytes: Data
  }

  private static let kept = 50
  private let copies = Mutex<[Copy]>([])
  private let (stream, tick) = AsyncStream<Void>.makeStream()

  /// The newest frame; nil before the first.
  var newest: Copy? { copies.withLock { $0.last } }

  /// The frame of a photo; nil where it did not come by here, or too long ago.
  func frame(of photo: CapturePhoto) -> Copy? {
    copies.withLock { $0.last { $0.timestamp == photo.timestamp } }
  }

  /// Returns when this many more frames have come, or the stream has ended.
  func frames(_ count: Int) async {
    var rest = count
    for await _ in stream {
      rest -= 1
      if rest <= 0 { return }
    }
  }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    let copy = Copy(
      timestamp: frame.timestamp, pixelFormat: frame.pixelFormat, width: frame.width,
      bytes: frame.bytes.withUnsafeBytes { Data($0) })
    copies.withLock { copies in
      copies.append(copy)
      if copies.count > Self.kept { copies.removeFirst() }
    }
    tick.yield()
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    tick.finish()
  }
}
