import CaptureKitLinux
import Dispatch
import Foundation  // A statically linked program names it, or half of it is missing.

/// Starts and stops a session again and again and prints what each stop took, in microseconds.
///
///     stop-latency-ours DEVICE STOPS
///
/// A stop is asked for while the camera's thread waits for the next frame, and has ended when the camera is closed.
@main
enum StopLatencyOurs {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3, let count = Int(words[2]) else { exit(64) }
    do {
      for _ in 0..<count { print(try stop(words[1])) }
    } catch {
      FileHandle.standardError.write(Data("stop-latency-ours: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func stop(_ path: String) throws -> Double {
    let session = CaptureSession()
    let frame = FirstFrame()
    try session.add(CaptureDeviceInput(device: CaptureDevice(path: path)))
    try session.add(frame)
    session.startRunning()
    if let error = session.lastError { throw error }
    frame.isThere.wait()
    let start = ContinuousClock.now
    session.stopRunning()
    return (ContinuousClock.now - start) / .microseconds(1)
  }
}

/// Says when frames come, or will come no more.
private final class FirstFrame: CaptureOutput {
  let isThere = DispatchSemaphore(value: 0)

  func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    isThere.signal()
  }

  func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    isThere.signal()
  }
}
