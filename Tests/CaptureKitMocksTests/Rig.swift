import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging

/// A camera with 10 frames per second on a clock that the test moves, and an opened stream of it.
struct Rig {
  static let interval = Duration.milliseconds(100)

  let camera: MockCamera
  let clock = ManualClock()
  let backend: MockBackend
  let stream: any CaptureStream

  init(
    _ format: PixelFormat = .grey, width: Int = 64, height: Int = 32, script: [MockEvent] = [],
    frames: MockFrames? = nil
  ) throws {
    camera = MockCamera(
      frames: frames
        ?? .testPattern(format, width: width, height: height, framesPerSecond: 10))
    camera.script = script
    backend = MockBackend(cameras: [camera], clock: clock)
    stream = try backend.open(
      CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: camera.name))
  }

  /// What the camera's first format asks for.
  var request: CaptureFormat {
    get throws { try unwrap(camera.formats.first).request() }
  }

  func start() throws { try stream.start(try request) }

  /// The frame that is there after the next interval, nil if there is none.
  func next() throws -> CapturedFrame? {
    clock.advance(by: Self.interval)
    return try stream.nextFrame(before: .now)
  }

  func frames(_ count: Int) throws -> [CapturedFrame?] {
    try (0..<count).map { _ in try next() }
  }
}

struct Missing: Error {}

func unwrap<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Missing() }
  return value
}

/// Runs something that waits on a thread of its own.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

extension CapturedFrame {
  var copy: [UInt8] {
    let bytes = bytes
    return bytes.byteOffsets.map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }

  var number: Int? { pixelBuffer.flatMap(TestPattern.frameNumber) }
}
