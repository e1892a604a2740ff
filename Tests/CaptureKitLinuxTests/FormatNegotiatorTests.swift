import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct FormatNegotiatorTests {
  static func format(
    _ pixelFormat: PixelFormat, _ width: Int, _ height: Int, fps: UInt32
  ) -> CaptureDevice.Format {
    let duration = FrameDuration.framesPerSecond(fps) ?? .thirtieth
    return CaptureDevice.Format(
      pixelFormat, dimensions: VideoDimensions(width: width, height: height),
      frameDurations: [duration...duration])
  }

  /// A usual USB 2 webcam.
  static let webcam = [
    format(.yuyv, 640, 480, fps: 30), format(.yuyv, 1280, 720, fps: 10),
    format(.yuyv, 1920, 1080, fps: 5), format(.mjpeg, 320, 240, fps: 30),
    format(.mjpeg, 640, 480, fps: 30), format(.mjpeg, 1280, 720, fps: 30),
    format(.mjpeg, 1920, 1080, fps: 30),
  ]

  @Test(arguments: [
    (CaptureSession.Preset.photo, "MJPG 1920x1080"), (.high, "MJPG 1920x1080"),
    (.medium, "MJPG 640x480"), (.low, "MJPG 320x240"), (.vga640x480, "MJPG 640x480"),
    (.hd1280x720, "MJPG 1280x720"), (.hd1920x1080, "MJPG 1920x1080"),
    (.inputPriority, "MJPG 1920x1080"),
  ])
  func choosesForAWebcam(preset: CaptureSession.Preset, expected: String) throws {
    let request = try #require(
      FormatNegotiator.request(from: Self.webcam, chosen: nil, preset: preset))

    #expect("\(request.pixelFormat) \(request.dimensions)" == expected)
    #expect(request.frameDuration == .thirtieth)
  }

  @Test func refusesASizeThatTheCameraDoesNotHave() {
    #expect(
      FormatNegotiator.request(from: Self.webcam, chosen: nil, preset: .hd4K3840x2160) == nil)
  }

  @Test func refusesAPresetThatNobodyKnows() {
    let preset = CaptureSession.Preset(rawValue: "cinema")

    #expect(FormatNegotiator.request(from: Self.webcam, chosen: nil, preset: preset) == nil)
  }

  @Test func prefersTheChosenFormatToThePreset() {
    let chosen = Self.format(.yuyv, 640, 480, fps: 30)

    let request = FormatNegotiator.request(from: Self.webcam, chosen: chosen, preset: .photo)

    #expect(request == chosen.request())
  }

  @Test func leavesFormatsOutThatNobodyReads() throws {
    let bayer = try #require(PixelFormat(fourCharacterCode: "BA81"))
    let formats = [Self.format(bayer, 3840, 2160, fps: 30), Self.webcam[0]]

    let request = FormatNegotiator.request(from: formats, chosen: nil, preset: .photo)

    #expect(request?.pixelFormat == .yuyv)
  }

  @Test func findsASizeWithinARange() {
    let scaler = CaptureDevice.Format(
      .nv12, from: VideoDimensions(width: 16, height: 16),
      through: VideoDimensions(width: 4096, height: 4096), by: VideoDimensions(width: 16, height: 8)
    )

    let request = FormatNegotiator.request(from: [scaler], chosen: nil, preset: .hd1280x720)

    #expect(request?.dimensions == VideoDimensions(width: 1280, height: 720))
  }

  @Test(arguments: [(1 << 32, 1 << 31), (1 << 31, 3 << 30), (Int.max, Int.max)])
  func prefersASizeThatCanBeToOneThatCannot(width: Int, height: Int) {
    let formats = [
      Self.format(.yuyv, width, height, fps: 30), Self.format(.yuyv, 640, 480, fps: 30),
    ]

    let request = FormatNegotiator.request(from: formats, chosen: nil, preset: .high)

    #expect(request?.dimensions == VideoDimensions(width: 640, height: 480))
  }

  @Test func hasNothingToAskOfACameraWithoutFormats() {
    #expect(FormatNegotiator.request(from: [], chosen: nil, preset: .photo) == nil)
  }
}
