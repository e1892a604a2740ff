import CaptureKitMocks
import Imaging
import Testing

@testable import CaptureKitLinux

/// A video data output on a connection without a session: a test hands it each frame itself.
struct VideoBench {
  let video: CaptureVideoDataOutput
  let connection: CaptureConnection

  init(_ video: CaptureVideoDataOutput = CaptureVideoDataOutput(), mountingAngle: Int = 0)
    async throws
  {
    self.video = video
    let camera = MockCamera(
      mountingAngle: mountingAngle, frames: .testPattern(.yuyv, width: 64, height: 32))
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera])])
    let device = try #require(try await environment.devices().first)
    connection = CaptureConnection(input: try CaptureDeviceInput(device: device), output: video)
    video.didConnect(connection)
  }

  /// Hands raw frames over, as the camera's thread does.
  func send(_ numbers: ClosedRange<UInt64>) throws {
    for number in numbers { send(try FramePixelsTests.raw(number)) }
  }

  func send(_ frame: CapturedFrame) {
    video.connection(connection, didReceive: frame)
  }
}
