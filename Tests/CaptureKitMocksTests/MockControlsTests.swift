import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockControlsTests {
  private typealias Setting = CaptureControl.Setting

  @Test func answersAsADriverDoes() throws {
    let camera = MockCamera()
    let access = try MockBackend(cameras: [camera]).controls(
      of: CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: ""))

    #expect(throws: CaptureError.self) { try access.set([Setting(.exposureTime, 5)]) }
    #expect(throws: CaptureError.self) { try access.set([Setting(.gain, 101)]) }
    #expect(throws: CaptureError.self) { try access.set([Setting(.privacy, 1)]) }
    #expect(camera.controlSettings == [])

    try access.set([Setting(.automaticExposure, 1), Setting(.exposureTime, 5)])
    #expect(camera.controlValues[.exposureTime] == 5)
    #expect(camera.controlSettings.count == 2)
  }

  @Test func hasTheControlsThatItIsGiven() throws {
    let camera = MockCamera()
    camera.controls = [
      CaptureControl(.startAutomaticFocus, name: "Focus now", kind: .button),
      CaptureControl(.lock3A, name: "Lock", kind: .bitmask, range: 0...7),
    ]
    let access = try MockBackend(cameras: [camera]).controls(
      of: CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: ""))

    try access.set([Setting(.startAutomaticFocus, 0), Setting(.startAutomaticFocus, 0)])

    #expect(camera.controlSettings.count == 2)
    #expect(camera.controlValues == [.lock3A: 0])
  }

  @Test(arguments: [(39, 48), (78, 96), (156, 191), (312, 255)] as [(Int64, UInt8)])
  func manualExposureShowsInTheTestPattern(time: Int64, level: UInt8) throws {
    let camera = MockCamera(frames: .testPattern(.rgb24, width: 320, height: 240))
    let backend = MockBackend(cameras: [camera])
    let description = CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: "")
    try backend.controls(of: description)
      .set([Setting(.automaticExposure, 1), Setting(.exposureTime, .integer(time))])
    let stream = try backend.open(description)
    try stream.start(camera.formats[0].request())

    let frame = try #require(try stream.nextFrame(before: .now + .seconds(30)))

    let picture = try #require(frame.pixelBuffer)
    let (x, y) = TestPattern(width: 320, height: 240).center(ofBar: 0)
    #expect(
      try Reader(picture).color(x: x, y: y).isWithin(
        1, of: RGBColor(red: level, green: level, blue: level)))
    #expect(TestPattern.frameNumber(in: picture) != nil)
    #expect(frame.settings == FrameSettings(exposureDuration: .microseconds(100 * time)))
  }

  @Test func saysNothingOfAutomaticExposure() throws {
    let camera = MockCamera(frames: .testPattern(.rgb24, width: 64, height: 48))
    let stream = try MockBackend(cameras: [camera]).open(
      CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: ""))
    try stream.start(camera.formats[0].request())

    #expect(try #require(try stream.nextFrame(before: .now + .seconds(30))).settings == nil)
  }
}
