import CaptureKitLinux
import Imaging
import Synchronization

/// A link that simulated cameras share: it carries so much, and no more.
///
/// ```swift
/// let bus = MockBus("the hub under the desk", bandwidth: 40_000_000)
/// left.bus = bus
/// right.bus = bus
/// ```
///
/// A camera that starts takes what its pictures weigh: raw ones their bytes, compressed ones an
/// eighth of two bytes for each pixel. Where there is not as much left, starting throws
/// `usbBandwidth`.
public final class MockBus: Sendable {
  /// The link for people to read, within a sentence.
  public let name: String
  /// Bytes a second.
  public let bandwidth: Int

  private struct Share {
    let stream: ObjectIdentifier
    let camera: ObjectIdentifier
    let name: String
    let bandwidth: Int
  }

  private let shares = Mutex<[Share]>([])

  /// Makes a link that nobody uses.
  ///
  /// - Parameters:
  ///   - name: The link for people to read, within a sentence.
  ///   - bandwidth: Bytes a second that it carries.
  public init(_ name: String = "the simulated bus", bandwidth: Int) {
    self.name = name
    self.bandwidth = bandwidth
  }

  /// Takes what a stream's pictures weigh, until ``release(_:)``.
  func take(_ format: CaptureFormat, for camera: MockCamera, _ stream: MockStream) throws {
    let weight = Self.weight(of: format)
    let isTaken = shares.withLock { shares in
      guard shares.reduce(weight, { $0 + $1.bandwidth }) <= bandwidth else { return false }
      shares.append(
        Share(
          stream: ObjectIdentifier(stream), camera: ObjectIdentifier(camera), name: camera.name,
          bandwidth: weight))
      return true
    }
    guard isTaken else {
      throw CaptureError(.usbBandwidth, "\(name) has no room for \(camera.name).", errno: 28)
    }
  }

  func release(_ stream: MockStream) {
    shares.withLock { $0.removeAll { $0.stream == ObjectIdentifier(stream) } }
  }

  /// What a camera is told.
  func load(for camera: MockCamera) -> CaptureBusLoad {
    let others = shares.withLock { $0.filter { $0.camera != ObjectIdentifier(camera) } }
    return CaptureBusLoad(
      name: name, bandwidth: bandwidth,
      holders: others.map { CaptureBusLoad.Holder(name: $0.name, bandwidth: $0.bandwidth) })
  }

  private static func weight(of format: CaptureFormat) -> Int {
    let (width, height) = (format.dimensions.width, format.dimensions.height)
    let layout = PixelLayout(format: format.pixelFormat, width: width, height: height)
    let bytes = layout?.byteCount(ofBlock: 0) ?? width * height * 2 / 8
    return Int(Double(bytes) * (format.frameDuration ?? .thirtieth).framesPerSecond)
  }
}
