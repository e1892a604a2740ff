import CaptureKitLinux
import Foundation
import Imaging
import Synchronization
import WebServer

/// Sends a camera's frames to those who watch, on the camera's own thread: nothing there waits for
/// a client, and no other thread has to wake up.
final class StreamOutput: CaptureOutput {
  private let watchers: Broadcast
  /// Frames that are no JPEG are encoded here, one at a time; others are left out meanwhile.
  private let queue = DispatchQueue(label: "lootlogger.encoding")
  private let isEncoding = Mutex(false)

  init(_ watchers: Broadcast) { self.watchers = watchers }

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    guard watchers.count > 0 else { return }
    if frame.pixelFormat.isJPEG { return send(frame.bytes) }
    let isFree = isEncoding.withLock { isEncoding in
      defer { isEncoding = true }
      return !isEncoding
    }
    guard isFree else { return }
    queue.async {
      if let pixels = try? frame.pixels(as: .yuv420),
        let jpeg = try? JPEGEncoder(quality: 0.7).encode(pixels)
      {
        self.send(jpeg.bytes)
      }
      self.isEncoding.withLock { $0 = false }
    }
  }

  private func send(_ jpeg: RawSpan) {
    guard let part = MotionJPEG.part(of: jpeg) else { return }
    watchers.send(
      head: part.head, body: jpeg.extracting(droppingFirst: part.bodyOffset),
      tail: MotionJPEG.tail)
  }
}
