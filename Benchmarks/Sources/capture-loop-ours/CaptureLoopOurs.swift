import CaptureKitLinux
import Foundation  // A statically linked program names it, or half of it is missing.

/// Receives frames from a camera and does nothing with them.
///
///     capture-loop-ours DEVICE FRAMES [FOURCC WIDTH HEIGHT]
@main
enum CaptureLoopOurs {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count == 3 || words.count == 6, let frames = Int(words[2]) else { exit(64) }
    do {
      try await receive(frames, from: words[1], as: Wish(words.dropFirst(3)))
    } catch {
      FileHandle.standardError.write(Data("capture-loop-ours: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func receive(_ count: Int, from path: String, as wish: Wish?) async throws {
    let camera = try CaptureDevice(path: path)
    if let wish { try wish.apply(to: camera) }
    let session = CaptureSession()
    let counter = FrameCounter(wanted: count)
    try session.add(CaptureDeviceInput(device: camera))
    try session.add(counter)
    try await session.start()
    for await _ in counter.finished {}
    await session.stop()
    print(counter.summary)
    if !counter.isComplete { throw Interrupted(cause: session.lastError) }
  }
}

/// The stream ended before all frames were there.
struct Interrupted: Error, CustomStringConvertible {
  let cause: CaptureError?

  var description: String { cause.map { "\($0)" } ?? "the stream has ended too early" }
}
