import CaptureKitMocks
import Foundation
import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct CaptureVideoPreviewLayerTests {
  /// Frames of one grey level each: the number of the frame.
  private static func camera(
    position: CaptureDevice.Position = .unspecified, mountingAngle: Int = 0
  ) -> MockCamera {
    let format = CaptureDevice.Format(
      .grey, dimensions: VideoDimensions(width: 32, height: 24))
    return MockCamera(
      position: position, mountingAngle: mountingAngle,
      frames: .generated([format]) { request in
        guard let layout = PixelLayout(format: .grey, width: 32, height: 24) else {
          throw CaptureError(.backendFailed)
        }
        // The left third is dark, so that mirrors show.
        let level = UInt8(100 + request.sequence % 100)
        let bytes = (0..<32 * 24).map { $0 % 32 < 10 ? 0 : level }
        return CapturedFrame(
          bytes: bytes, layout: layout, sequence: request.sequence, timestamp: request.timestamp)
      })
  }

  private static func green(_ image: PreviewImage, _ x: Int, _ y: Int) -> UInt8 {
    image.pixels.bytes(ofPlane: 0).unsafeLoad(
      fromByteOffset: (y * image.width + x) * 4 + 1, as: UInt8.self)
  }

  // MARK: Attaching

  @Test func attachesToOneSession() async throws {
    let studio = try await Studio(Self.camera())
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    let other = CaptureSession()

    let error = #expect(throws: CaptureError.self) { try layer.setSession(other) }
    #expect(error?.code == .cannotAddOutput)
    layer.session = other
    #expect(other.lastError?.code == .cannotAddOutput)
    #expect(layer.session === studio.session && other.connections.isEmpty)
    try layer.setSession(studio.session)
    #expect(studio.session.connections.count == 2)

    layer.session = nil
    #expect(layer.connection == nil && studio.session.connections.count == 1)
    try layer.setSession(other)
    #expect(layer.session === other)
  }

  @Test func isNoOutputThatASessionLists() async throws {
    let studio = try await Studio(Self.camera())
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    #expect(studio.session.outputs.count == 1)
    let connection = try #require(layer.connection)
    #expect(studio.session.connections.contains { $0 === connection })
  }

  @Test func leavesItsSessionWhenNobodyHoldsIt() async throws {
    let studio = try await Studio(Self.camera())
    var layer: CaptureVideoPreviewLayer? = CaptureVideoPreviewLayer(session: studio.session)
    let images = try #require(layer?.images)
    weak let output = try #require(layer?.output)
    layer = nil
    for await _ in images {}  // ends with the layer
    await Self.eventually { studio.session.connections.count == 1 && output == nil }
  }

  @Test func followsASessionThatGetsItsCameraLater() async throws {
    let studio = try await Studio(Self.camera())
    let session = CaptureSession()
    let layer = CaptureVideoPreviewLayer(session: session)
    #expect(layer.connection == nil)
    #expect(try layer.image(width: 8, height: 8) == nil)
    try session.add(try CaptureDeviceInput(device: studio.device))
    #expect(layer.connection?.input.device === studio.device)
  }

  // MARK: Frames

  @Test func showsTheNewestFrameOnly() async throws {
    let clock = ManualClock()
    let studio = try await Studio(Self.camera(), clock: clock)
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    layer.videoGravity = .resize
    let tap = FrameTap()
    try studio.session.add(tap)
    try await studio.session.start()

    clock.advance(by: .seconds(1))
    await tap.frames(20)
    let image = try #require(try layer.image(width: 16, height: 12))
    #expect(Self.green(image, 15, 6) >= 119)
    #expect(layer.isPreviewing)
    let again = try layer.image(width: 16, height: 12, after: image)
    if let again { #expect(again.presentationTime > image.presentationTime) }
    await studio.session.stop()
  }

  @Test func hasNothingNewUntilAFrameComes() throws {
    let (output, connection) = try Self.connectedOutput()
    output.connection(connection, didReceive: try Self.frame(owner: Owner()))
    let first = output.newest?.number
    #expect(output.newest?.number == first)
    output.connection(connection, didReceive: try Self.frame(owner: Owner()))
    #expect(output.newest?.number != first)
  }

  @Test func keepsOneFrameAndNoneAfterTheEnd() throws {
    let (output, connection) = try Self.connectedOutput()
    weak var first: Owner?
    weak var second: Owner?
    do {
      let owners = (Owner(), Owner())
      (first, second) = owners
      output.connection(connection, didReceive: try Self.frame(owner: owners.0))
      output.connection(connection, didReceive: try Self.frame(owner: owners.1))
    }
    #expect(first == nil && second != nil)
    output.connection(connection, didEndWith: nil)
    #expect(second == nil)
  }

  @Test func showsNothingWhenTheSessionHasStopped() async throws {
    let studio = try await Studio(Self.camera())
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    let tap = FrameTap()
    try studio.session.add(tap)
    try await studio.session.start()
    await tap.frames(1)
    #expect(try layer.image(width: 8, height: 8) != nil)
    await studio.session.stop()
    #expect(try layer.image(width: 8, height: 8) == nil)
    #expect(!layer.isPreviewing)
  }

  @Test func pushesImagesAtTheLayersSize() async throws {
    let studio = try await Studio(Self.camera())
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    layer.bounds = CGRect(x: 0, y: 0, width: 20, height: 10)
    layer.contentsScale = 2
    let (handled, handler) = AsyncStream<PreviewImage>.makeStream()
    layer.setImageHandler { handler.yield($0) }
    try await studio.session.start()

    var times: [HostTime] = []
    for await image in layer.images {
      #expect(image.width == 40 && image.height == 20)
      times.append(image.presentationTime)
      if times.count == 3 { break }
    }
    #expect(times == times.sorted())
    for await image in handled.prefix(1) { #expect(image.width == 40) }
    layer.setImageHandler(nil)
    await studio.session.stop()
    #expect(layer.lastError == nil)
  }

  @Test func showsCompressedFrames() async throws {
    let camera = MockCamera(frames: .testPattern(.mjpeg, width: 64, height: 48))
    let studio = try await Studio(camera)
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    let tap = FrameTap()
    try studio.session.add(tap)
    try await studio.session.start()
    await tap.frames(1)
    let image = try #require(try layer.image(width: 32, height: 24))
    #expect(image.pixels.format == .bgra32)
    await studio.session.stop()
  }

  /// Whatever a JPEG is decoded to, the picture lies in the same place in the same colours.
  @Test(arguments: [(320, 180), (80, 45), (40, 22)])
  func showsLargeCompressedFramesSmall(width: Int, height: Int) async throws {
    let camera = MockCamera(frames: .testPattern(.mjpeg, width: 640, height: 360))
    let studio = try await Studio(camera)
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    layer.videoGravity = .resize
    let tap = FrameTap()
    try studio.session.add(tap)
    try await studio.session.start()
    await tap.frames(1)
    let image = try #require(try layer.image(width: width, height: height))
    #expect(image.geometry.imageSize == VideoDimensions(width: 640, height: 360))
    #expect(image.width == width && image.height == height)
    for bar in 0..<TestPattern.barCount {
      let middle = (2 * bar + 1) * width / (2 * TestPattern.barCount)
      let wanted: UInt8 = [191, 191, 191, 191, 0, 0, 0, 0][bar]
      let green = Self.green(image, middle, height / 2)
      #expect(abs(Int(green) - Int(wanted)) <= 6, "bar \(bar): \(green)")
    }
    await studio.session.stop()
  }

  @Test func decodesNoMoreThanIsSeen() throws {
    let size = VideoDimensions(width: 64, height: 48)
    let picture = try PixelBuffer(format: .bgra, width: 64, height: 48) { _, _, _ in }
    let frame = CapturedFrame(
      jpeg: try JPEGEncoder().encode(picture), dimensions: size, sequence: 0,
      timestamp: FrameTimestamp(.now, .startOfExposure))
    func decoded(_ width: Double, _ height: Double) throws -> [Int] {
      let (pixels, whole) = try frame.pixelsOfJPEG(leaving: width, by: height, from: PixelPool())
      #expect(whole == size)
      return [pixels.width, pixels.height]
    }
    #expect(try decoded(8, 6) == [8, 6])
    #expect(try decoded(8.5, 6) == [16, 12])
    #expect(try decoded(1, 24) == [32, 24])
    #expect(!frame.conversions.hasPicture(FrameConversions.Wish(format: .bgra)))
    #expect(try decoded(33, 1) == [64, 48])
    // What has been made for others is not made again.
    #expect(try decoded(8, 6) == [64, 48])
  }

  @Test func drawsForPixelsThatAreNotSquare() async throws {
    let studio = try await Studio(Self.camera())
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    layer.bounds = CGRect(x: 0, y: 0, width: 32, height: 24)
    layer.pixelAspectRatio = 0.5
    layer.backgroundColor = PreviewColor(red: 1, green: 2, blue: 3)
    let tap = FrameTap()
    try studio.session.add(tap)
    try await studio.session.start()
    await tap.frames(1)
    let image = try #require(try layer.image())
    #expect(layer.geometry == image.geometry && image.geometry.pixelAspectRatio == 0.5)
    #expect(image.geometry.videoRect == CGRect(x: 0, y: 6, width: 32, height: 12))
    #expect(Self.green(image, 20, 5) == 2 && Self.green(image, 20, 6) >= 100)
    await studio.session.stop()
  }

  @Test func saysWhyAFrameCannotBeShown() throws {
    let (output, connection) = try Self.connectedOutput()
    let broken = CapturedFrame(
      jpeg: Data([0xFF, 0xD8, 0xFF]), dimensions: VideoDimensions(width: 8, height: 8), sequence: 0,
      timestamp: FrameTimestamp(.now, .startOfExposure))
    #expect(throws: (any Error).self) {
      try output.renderer.image(
        of: broken, number: 1, turn: connection.uprightTurn, size: PixelSize(width: 4, height: 4))
    }
  }

  // MARK: Orientation

  @Test(arguments: [CaptureDevice.Position.front, .back, .unspecified])
  func mirrorsFrontCamerasInThePreviewOnly(position: CaptureDevice.Position) async throws {
    let studio = try await Studio(Self.camera(position: position))
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    let connection = try #require(layer.connection)
    let photos = try #require(studio.session.connections.first { $0 !== connection })

    #expect(connection.automaticallyAdjustsVideoMirroring)
    #expect(connection.isVideoMirrored == (position == .front))
    #expect(!photos.isVideoMirrored && !photos.automaticallyAdjustsVideoMirroring)

    let tap = FrameTap()
    try studio.session.add(tap)
    try await studio.session.start()
    await tap.frames(1)
    let image = try #require(try layer.image(width: 32, height: 24))
    #expect((Self.green(image, 2, 12) == 0) == (position != .front))

    connection.automaticallyAdjustsVideoMirroring = false
    #expect(connection.isVideoMirrored == (position == .front))
    connection.isVideoMirrored = position != .front
    let flipped = try #require(try layer.image(width: 32, height: 24))
    #expect((Self.green(flipped, 2, 12) == 0) == (position == .front))
    #expect(!photos.isVideoMirrored)
    await studio.session.stop()
  }

  @Test func convertsPointsAsItDraws() async throws {
    let studio = try await Studio(Self.camera(mountingAngle: 90))
    let layer = CaptureVideoPreviewLayer(session: studio.session)
    layer.bounds = CGRect(x: 0, y: 0, width: 24, height: 32)
    try await studio.session.start()
    let geometry = PreviewGeometry(
      imageSize: VideoDimensions(width: 32, height: 24), bounds: layer.bounds, clockwiseAngle: 90)
    #expect(layer.geometry == geometry)
    let corner = layer.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 24, y: 0))
    #expect(corner == CGPoint(x: 0, y: 0))
    #expect(
      layer.layerPointConverted(fromCaptureDevicePoint: CGPoint(x: 1, y: 1))
        == CGPoint(x: 0, y: 32))
    let half = CGRect(x: 0, y: 0, width: 0.5, height: 1)
    let seen = layer.layerRectConverted(fromMetadataOutputRect: half)
    #expect(seen == CGRect(x: 0, y: 0, width: 24, height: 16))
    #expect(layer.metadataOutputRectConverted(fromLayerRect: seen) == half)
    await studio.session.stop()
  }

  // MARK: Parts

  private final class Owner: Sendable {
    let bytes = [UInt8](repeating: 1, count: 64)
  }

  private static func frame(owner: Owner) throws -> CapturedFrame {
    let layout = try #require(PixelLayout(format: .grey, width: 8, height: 8))
    return CapturedFrame(
      pixelFormat: .grey, dimensions: VideoDimensions(width: 8, height: 8), layout: layout,
      color: .jpeg, sequence: 0, timestamp: FrameTimestamp(.now, .startOfExposure), duration: nil,
      dropReason: nil, storage: .one(SharedBytes(owner.bytes).copied(for: owner)))
  }

  private static func connectedOutput() throws -> (PreviewOutput, CaptureConnection) {
    let environment = CaptureEnvironment(backends: [MockBackend(cameras: [camera()])])
    let device = try #require(environment.devicesNow().first)
    let output = PreviewOutput()
    let connection = CaptureConnection(
      input: try CaptureDeviceInput(device: device), output: output)
    output.didConnect(connection)
    return (output, connection)
  }

  /// Yields until something is so; the suite's time limit ends a wait in vain.
  private static func eventually(_ holds: () -> Bool) async {
    while !holds() { await Task.yield() }
  }
}
