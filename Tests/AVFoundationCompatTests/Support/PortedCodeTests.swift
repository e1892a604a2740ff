import AVFoundationCompat
import CaptureKitMocks
import Testing

/// Ported code finds cameras by `CaptureEnvironment.default`, since task-local values do not reach
/// its dispatch queues, and asks the one `UIDevice.current`: one test at a time.
@Suite(.serialized, .timeLimit(.minutes(1)))
enum PortedCodeTests {}

/// Runs code on a machine with these cameras, held in one way.
func onMachine<Value>(
  with cameras: [MockCamera], held orientation: UIDeviceOrientation = .portrait,
  _ body: () async throws -> Value
) async rethrows -> Value {
  let before = CaptureEnvironment.default
  CaptureEnvironment.default = CaptureEnvironment(backends: [MockBackend(cameras: cameras)])
  UIDevice.current.orientationSource = ManualDeviceOrientation(orientation)
  defer { CaptureEnvironment.default = before }
  return try await body()
}

/// Waits until something is so; the suite's time limit ends what never is.
func wait(until isSo: () -> Bool) async throws {
  while !isSo() { try await Task.sleep(nanoseconds: 2_000_000) }
}

extension PixelBuffer {
  /// A pixel's red, green and blue.
  func color(x: Int, y: Int) throws -> RGBColor {
    let pixels = try converted(to: .rgb24)
    let row = pixels.bytes(ofPlane: 0, row: y)
    let bytes = (0..<3).map { row.unsafeLoad(fromByteOffset: 3 * x + $0, as: UInt8.self) }
    return RGBColor(red: bytes[0], green: bytes[1], blue: bytes[2])
  }
}

extension RGBColor {
  /// Whether a lossy picture may show this colour for the other.
  func isNear(_ other: RGBColor) -> Bool {
    let pairs = [(red, other.red), (green, other.green), (blue, other.blue)]
    return pairs.allSatisfy { abs(Int($0) - Int($1)) <= 24 }
  }
}
