import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct FormatNegotiatorTests {
  static func format(
    _ pixelFormat: PixelFormat, _ width: Int, _ height: Int, fps: UInt32...
  ) -> CaptureDevice.Format {
    let durations = fps.compactMap(FrameDuration.framesPerSecond)
    return CaptureDevice.Format(
      pixelFormat, dimensions: VideoDimensions(width: width, height: height),
      frameDurations: durations.map { $0...$0 })
  }

  static let usb2 = BusLoad.bandwidth(ofUSBPortAt: 480, isBulk: false)
  static let usb3 = BusLoad.bandwidth(ofUSBPortAt: 5000, isBulk: false)

  /// A usual USB 2 webcam.
  static let webcam = [
    format(.yuyv, 640, 480, fps: 30), format(.yuyv, 1280, 720, fps: 10),
    format(.yuyv, 1920, 1080, fps: 5), format(.mjpeg, 320, 240, fps: 30),
    format(.mjpeg, 640, 480, fps: 30), format(.mjpeg, 1280, 720, fps: 30),
    format(.mjpeg, 1920, 1080, fps: 30),
  ]

  /// Lists rates that no USB 2 bus carries.
  static let boaster = [
    format(.yuyv, 640, 480, fps: 60, 30), format(.yuyv, 1280, 720, fps: 30, 10),
    format(.yuyv, 1920, 1080, fps: 30, 5), format(.mjpeg, 1280, 720, fps: 60, 30),
    format(.mjpeg, 1920, 1080, fps: 30),
  ]

  private func text(
    _ preset: CaptureSession.Preset, _ formats: [CaptureDevice.Format], bus: Int? = nil,
    shortest: FrameDuration? = nil, longest: FrameDuration? = nil
  ) -> String? {
    let negotiator = FormatNegotiator(
      formats: formats, limits: FrameDurationLimits(shortest: shortest, longest: longest),
      busBandwidth: bus)
    return negotiator.request(chosen: nil, preset: preset).map {
      let rate = $0.frameDuration.map { " \($0)" } ?? ""
      return "\($0.pixelFormat) \($0.dimensions)\(rate)"
    }
  }

  @Test(arguments: [
    (CaptureSession.Preset.photo, "MJPG 1920x1080 1/30 s"), (.high, "MJPG 1920x1080 1/30 s"),
    // Raw where it comes as fast: nothing is lost, and nobody has to decode it.
    (.medium, "YUYV 640x480 1/30 s"), (.vga640x480, "YUYV 640x480 1/30 s"),
    (.low, "MJPG 320x240 1/30 s"), (.hd1280x720, "MJPG 1280x720 1/30 s"),
    (.hd1920x1080, "MJPG 1920x1080 1/30 s"), (.inputPriority, "MJPG 1920x1080 1/30 s"),
  ])
  func choosesForAWebcam(preset: CaptureSession.Preset, expected: String) {
    #expect(text(preset, Self.webcam, bus: Self.usb2) == expected)
  }

  @Test(arguments: [
    (CaptureSession.Preset.photo, usb2, "MJPG 1920x1080 1/30 s"),
    (.photo, usb3, "YUYV 1920x1080 1/30 s"), (.photo, nil, "YUYV 1920x1080 1/30 s"),
    (.high, usb2, "MJPG 1920x1080 1/30 s"), (.high, usb3, "YUYV 1920x1080 1/30 s"),
    (.hd1280x720, usb2, "MJPG 1280x720 1/30 s"), (.hd1280x720, usb3, "YUYV 1280x720 1/30 s"),
    (.medium, usb2, "YUYV 640x480 1/30 s"), (.medium, usb3, "YUYV 640x480 1/30 s"),
  ])
  func asksOnlyForWhatTheBusCarries(
    preset: CaptureSession.Preset, bus: Int?, expected: String
  ) {
    #expect(text(preset, Self.boaster, bus: bus) == expected)
  }

  @Test func asksForALongerDurationWhereTheBusCarriesNoShorterOne() {
    let raw = [Self.format(.yuyv, 1920, 1080, fps: 30, 15, 5)]

    #expect(text(.high, raw, bus: Self.usb2) == "YUYV 1920x1080 1/5 s")
    #expect(text(.high, raw) == "YUYV 1920x1080 1/30 s")
  }

  @Test func asksForTheLongestDurationWhereTheBusCarriesNone() {
    let raw = [Self.format(.yuyv, 3840, 2160, fps: 30, 15)]

    #expect(text(.hd4K3840x2160, raw, bus: Self.usb2) == "YUYV 3840x2160 1/15 s")
  }

  @Test func asksForADurationWithinARangeThatTheBusCarries() throws {
    let shortest = try #require(FrameDuration.framesPerSecond(60))
    let longest = try #require(FrameDuration.framesPerSecond(1))
    let raw = CaptureDevice.Format(
      .yuyv, dimensions: VideoDimensions(width: 1280, height: 720),
      frameDurations: [shortest...longest])

    #expect(text(.high, [raw]) == "YUYV 1280x720 1/30 s")
    // 1280 x 720 x 2 bytes at 24 480 000 bytes a second.
    #expect(text(.high, [raw], bus: Self.usb2) == "YUYV 1280x720 32/425 s")
  }

  @Test func knowsWhatUSBCarries() {
    #expect(BusLoad.bandwidth(ofUSBPortAt: 12, isBulk: false) == 1_011_000)
    #expect(BusLoad.bandwidth(ofUSBPortAt: 480, isBulk: false) == 24_480_000)
    #expect(BusLoad.bandwidth(ofUSBPortAt: 480, isBulk: true) == 40_000_000)
    #expect(BusLoad.bandwidth(ofUSBPortAt: 5000, isBulk: false) == 353_894_400)
    #expect(BusLoad.bandwidth(ofUSBPortAt: 0, isBulk: false) == nil)
  }

  @Test func asksForNoMoreFramesThanThePresetIsFor() {
    #expect(
      text(.medium, [Self.format(.yuyv, 640, 480, fps: 120, 60, 30, 15)]) == "YUYV 640x480 1/30 s")
    #expect(text(.medium, [Self.format(.yuyv, 640, 480, fps: 60, 15)]) == "YUYV 640x480 1/60 s")
    #expect(text(.medium, [Self.format(.yuyv, 640, 480, fps: 25, 15)]) == "YUYV 640x480 1/25 s")
  }

  @Test func wantsTheRateThatTheUserAllows() throws {
    let fast = [
      Self.format(.yuyv, 640, 480, fps: 30, 15), Self.format(.mjpeg, 640, 480, fps: 60, 30),
    ]
    let sixtieth = try #require(FrameDuration.framesPerSecond(60))
    let fifteenth = try #require(FrameDuration.framesPerSecond(15))
    let hundredth = try #require(FrameDuration.framesPerSecond(100))

    #expect(text(.medium, fast, longest: sixtieth) == "MJPG 640x480 1/60 s")
    #expect(text(.medium, fast, shortest: fifteenth) == "YUYV 640x480 1/15 s")
    #expect(text(.medium, fast, longest: hundredth) == nil)
  }

  @Test func prefersColourToGreyAndReadingToConverting() {
    let bayer = Self.format(PixelFormat("GRBG"), 640, 480, fps: 30).converted(as: .libv4lconvert)
    let grey = Self.format(.grey, 640, 480, fps: 30)
    let slow = Self.format(.yuyv, 640, 480, fps: 10)

    #expect(text(.medium, [bayer, grey]) == "GRBG 640x480 1/30 s")
    #expect(text(.medium, [grey, slow]) == "YUYV 640x480 1/10 s")
    #expect(
      text(.medium, [bayer, Self.format(.mjpeg, 640, 480, fps: 30)]) == "MJPG 640x480 1/30 s")
    #expect(text(.photo, [bayer, Self.format(.mjpeg, 320, 240, fps: 30)]) == "GRBG 640x480 1/30 s")
    #expect(text(.medium, [grey]) == "GREY 640x480 1/30 s")
  }

  @Test func takesARateThatIsNearlyTheOneWanted() throws {
    let ntsc = try #require(FrameDuration(numerator: 1001, denominator: 30000))
    let camera = [
      CaptureDevice.Format(
        .yuyv, dimensions: VideoDimensions(width: 640, height: 480), frameDurations: [ntsc...ntsc]),
      Self.format(.mjpeg, 640, 480, fps: 30),
    ]

    #expect(text(.medium, camera) == "YUYV 640x480 1001/30000 s")
  }

  @Test func takesTheRatesOfTheSizeThatItChooses() throws {
    let tenth = try #require(FrameDuration.framesPerSecond(10))
    let (slow, fast) = (FrameRateRange(tenth...tenth), FrameRateRange(.thirtieth ... .thirtieth))
    let small = VideoDimensions(width: 1920, height: 1080)
    let sensor = CaptureDevice.Format(
      .yuyv, from: VideoDimensions(width: 32, height: 24),
      through: VideoDimensions(width: 3840, height: 2160), rates: [slow])
    let camera = [Self.format(.mjpeg, 1920, 1080, fps: 30)]

    #expect(text(.high, [sensor] + camera) == "MJPG 1920x1080 1/30 s")
    #expect(
      text(.high, [sensor.offering([fast], in: small)] + camera) == "YUYV 1920x1080 1/30 s")
    #expect(
      text(.high, [sensor.offering([fast], in: small)], longest: .thirtieth)
        == "YUYV 1920x1080 1/30 s")
  }

  @Test func refusesASizeThatTheCameraDoesNotHave() {
    #expect(text(.hd4K3840x2160, Self.webcam) == nil)
  }

  @Test func refusesAPresetThatNobodyKnows() {
    #expect(text(CaptureSession.Preset(rawValue: "cinema"), Self.webcam) == nil)
  }

  @Test func prefersTheChosenFormatToThePreset() {
    let chosen = Self.format(.yuyv, 640, 480, fps: 30)

    let request = FormatNegotiator(formats: Self.webcam).request(chosen: chosen, preset: .photo)

    #expect(request == chosen.request())
  }

  @Test func leavesFormatsOutThatNobodyReads() throws {
    let formats = [Self.format(PixelFormat("H264"), 3840, 2160, fps: 30), Self.webcam[0]]

    #expect(text(.photo, formats) == "YUYV 640x480 1/30 s")
    #expect(text(.photo, [formats[0]]) == nil)
    // The user may choose one all the same.
    let chosen = FormatNegotiator(formats: formats).request(chosen: formats[0], preset: .photo)
    #expect(chosen == formats[0].request())
  }

  @Test func findsASizeWithinARange() {
    let scaler = CaptureDevice.Format(
      .nv12, from: VideoDimensions(width: 16, height: 16),
      through: VideoDimensions(width: 4096, height: 4096), by: VideoDimensions(width: 16, height: 8)
    )

    #expect(text(.hd1280x720, [scaler]) == "NV12 1280x720")
    #expect(text(.high, [scaler]) == "NV12 1920x1080")
    #expect(text(.photo, [scaler]) == "NV12 4096x4096")
  }

  @Test(arguments: [(1 << 32, 1 << 31), (1 << 31, 3 << 30), (Int.max, Int.max)])
  func prefersASizeThatCanBeToOneThatCannot(width: Int, height: Int) {
    let formats = [
      Self.format(.yuyv, width, height, fps: 30), Self.format(.yuyv, 640, 480, fps: 30),
    ]

    #expect(text(.high, formats, bus: Self.usb2) == "YUYV 640x480 1/30 s")
  }

  @Test func hasNothingToAskOfACameraWithoutFormats() {
    #expect(text(.photo, []) == nil)
  }
}

extension PixelFormat {
  fileprivate init(_ code: String) {
    self = PixelFormat(fourCharacterCode: code) ?? .grey
  }
}
