import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct DeviceWishTests {
  static func camera(
    _ id: String, _ type: CaptureDevice.DeviceType = .external,
    _ position: CaptureDevice.Position = .unspecified
  ) -> CaptureDeviceDescription {
    var description = CaptureDeviceDescription(uniqueID: id, localizedName: id)
    description.deviceType = type
    description.position = position
    return description
  }

  static func found(
    _ cameras: [CaptureDeviceDescription], _ types: [CaptureDevice.DeviceType],
    _ position: CaptureDevice.Position, _ matching: CaptureDevice.Matching = .generous
  ) -> [String] {
    DeviceWish(types: types, position: position, matching: matching)
      .choose(from: cameras, by: { $0 }).map(\.uniqueID)
  }

  @Test(arguments: [CaptureDevice.Position.front, .back, .unspecified])
  func findsAWebcamForCodeWrittenForPhones(position: CaptureDevice.Position) {
    let cameras = [Self.camera("webcam")]

    #expect(Self.found(cameras, [.builtInWideAngleCamera], position) == ["webcam"])
  }

  @Test func isStrictWhereAsked() {
    let cameras = [Self.camera("webcam")]

    #expect(Self.found(cameras, [.builtInWideAngleCamera], .unspecified, .strict) == [])
    #expect(Self.found(cameras, [.external], .front, .strict) == [])
    #expect(Self.found(cameras, [.external], .unspecified, .strict) == ["webcam"])
  }

  @Test func believesCamerasThatSayWhereTheyAre() {
    let cameras = [
      Self.camera("front", .builtInWideAngleCamera, .front),
      Self.camera("back", .builtInWideAngleCamera, .back), Self.camera("webcam"),
    ]

    #expect(Self.found(cameras, [.builtInWideAngleCamera], .back) == ["back"])
    #expect(Self.found(cameras, [.builtInWideAngleCamera, .external], .front) == ["front"])
  }

  @Test func ordersByTheKindsWishedFor() {
    let cameras = [Self.camera("webcam"), Self.camera("inner", .builtInWideAngleCamera)]

    #expect(
      Self.found(cameras, [.builtInWideAngleCamera, .external], .unspecified)
        == ["inner", "webcam"])
  }
}
